"""The identifiers of a source text, found by pattern (no grammar is loaded for them)."""

from __future__ import annotations

import re
from functools import lru_cache

from ..patterns import lazy

# Comments and strings are matched so that their content is skipped; the group is a word.
_WORD = lazy(
    r"//[^\n]*|#[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^\'\\]*(?:(?:\\.|\'(?!\'\'))[^\'\\]*)*\'\'\''
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\\\n]*(?:\\.[^\'\\\n]*)*\'|([A-Za-z_$][\w$]*)',
    re.DOTALL,
)
_HASH_IS_CODE = ("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "rs", "java", "cs", "go", "c", "h", "cc", "cpp")
_SLASHES_ARE_CODE = ("py", "pyi", "rb")
_WORD_SLASH = lazy(_WORD.source.replace(r"|#[^\n]*", "", 1), re.DOTALL)
_WORD_HASH = lazy(_WORD.source.replace(r"//[^\n]*|", "", 1), re.DOTALL)
KEYWORDS = frozenset((
    "abstract", "and", "as", "assert", "async", "await", "break", "case", "catch", "class", "const", "continue",
    "def", "del", "delete", "do", "elif", "else", "end", "enum", "except", "export", "extends", "false",
    "False", "final", "finally", "for", "from", "func", "function", "fn", "go", "if", "impl", "implements",
    "import", "in", "instanceof", "interface", "internal", "is", "lambda", "let", "match", "mod", "module",
    "mut", "namespace", "new", "nil", "None", "nonlocal", "not", "null", "or", "override", "package", "pass",
    "private", "protected", "pub", "public", "raise", "readonly", "ref", "require", "return", "self", "static",
    "struct", "super", "switch", "this", "throw", "throws", "trait", "true", "True", "try", "type", "typeof",
    "undefined", "unless", "until", "use", "using", "var", "virtual", "void", "when", "where", "while", "with",
    "yield"
))  # fmt: skip


@lru_cache(maxsize=64)
def referenced_names(path: str, text: str) -> frozenset[str]:
    """The identifiers that a text defines, calls or uses; comments, strings and keywords left out."""
    extension = path.rsplit(".", 1)[-1].lower()
    pattern = _WORD
    if extension in _HASH_IS_CODE:
        pattern = _WORD_SLASH
    elif extension in _SLASHES_ARE_CODE:
        pattern = _WORD_HASH
    if "/*" in text:
        # An opened comment without an end is none; otherwise the expression would search for the end again and again.
        closed = text.rfind("*/") + 2 if "*/" in text else 0
        text = text[:closed] + text[closed:].replace("/*", "/ *")
    return frozenset(filter(None, pattern.findall(text))) - KEYWORDS
