"""Tree-sitter grammars by file name, loaded when first used, with the queries that find units and tests in them.

Capture names of the unit queries: ``function`` and ``class`` are units that run; ``type`` declares without running
(struct, interface, enum); ``scope`` only gives its name to the units inside it (Rust ``impl``, Ruby ``module``);
``receiver`` is the type of a Go method; ``name`` is the unit's own name; ``comment`` is what a fingerprint leaves out.
"""

from __future__ import annotations

import importlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from .parsing import parse_text

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


class Grammar(Struct, frozen=True):
    """One language."""

    name: str
    module: str
    factory: str
    """The function of the module that returns the grammar."""
    units: tuple[str, ...]
    """Files below ``queries`` whose patterns find units and comments."""
    signs: tuple[str, ...]
    """Every text in which ``units`` finds a unit contains one of these."""
    tests: str = ""
    """The file of the query that finds tests which are calls with a title."""
    wrap: tuple[str, str] | None = None
    """Text before and after a fragment of class members so that it parses (adds no line before it)."""

    def may_have_units(self, text: str) -> bool:
        """False if the text defines no unit. Most edits change a few lines inside one; nothing is parsed then."""
        return any(sign in text for sign in self.signs)


_CLASS = ("class _ {", "\n}")
_SCRIPT_SIGNS = ("{", "=>", "function", "class", "type", "interface", "enum")
_JAVA_SIGNS = ("(", "class", "enum", "interface", "record", "struct")
_RUST_SIGNS = ("fn", "impl", "struct", "enum", "trait", "union", "macro_rules")
_PHP_SIGNS = ("function", "class", "trait", "enum", "interface")
_C_SIGNS = ("{", "default", "delete")


def _script(name: str, module: str, factory: str) -> Grammar:
    own = "javascript" if name == "javascript" else "typescript"
    return Grammar(name, module, factory, ("script", own), _SCRIPT_SIGNS, "script-tests", _CLASS)


_GRAMMARS = {
    g.name: g
    for g in (
        Grammar("python", "tree_sitter_python", "language", ("python",), ("def", "class")),
        _script("javascript", "tree_sitter_javascript", "language"),
        _script("typescript", "tree_sitter_typescript", "language_typescript"),
        _script("tsx", "tree_sitter_typescript", "language_tsx"),
        Grammar("go", "tree_sitter_go", "language", ("go",), ("func", "type")),
        Grammar("rust", "tree_sitter_rust", "language", ("rust",), _RUST_SIGNS),
        Grammar("java", "tree_sitter_java", "language", ("java",), _JAVA_SIGNS, wrap=_CLASS),
        Grammar("ruby", "tree_sitter_ruby", "language", ("ruby",), ("def", "class", "module"), "ruby-tests"),
        Grammar("php", "tree_sitter_php", "language_php", ("php",), _PHP_SIGNS, "php-tests"),
        Grammar("php_only", "tree_sitter_php", "language_php_only", ("php",), _PHP_SIGNS, "php-tests", _CLASS),
        Grammar("csharp", "tree_sitter_c_sharp", "language", ("csharp",), _JAVA_SIGNS, wrap=_CLASS),
        Grammar("c", "tree_sitter_c", "language", ("c",), _C_SIGNS),
        Grammar("cpp", "tree_sitter_cpp", "language", ("cpp",), _C_SIGNS, "cpp-tests"),
    )
}
_EXTENSIONS = {
    extension: name
    for name, extensions in {
        "python": "py pyi pyw",
        "javascript": "js mjs cjs jsx",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "go": "go",
        "rust": "rs",
        "java": "java",
        "ruby": "rb rake",
        "php": "php",
        "csharp": "cs",
        "c": "c h",
        "cpp": "cc cpp cxx c++ hpp hh hxx h++ ipp cu cuh",
    }.items()
    for extension in extensions.split()
}


_OTHER_SOURCE = frozenset((
    "kt kts swift scala m mm lua pl pm r jl ex exs erl hs ml fs fsx clj cljs dart zig nim vb sol sh bash zsh ps1 sql "
    "vue svelte astro groovy gradle cr d f90 asm s proto"
).split())  # fmt: skip


def is_source(path: str) -> bool:
    """Whether the file contains program text, by its name (in a language with a grammar or without)."""
    extension = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""
    return extension in _EXTENSIONS or extension in _OTHER_SOURCE


def grammar_for(path: str, text: str) -> Grammar | None:
    """The grammar for a file of that name, or None. ``text`` settles C or C++, and whole PHP file or fragment."""
    name = _EXTENSIONS.get(path.rsplit(".", 1)[-1].lower()) if "." in path else None
    if name == "c" and path.endswith(("h", "H")) and any(w in text for w in ("class ", "namespace ", "template", "::")):
        name = "cpp"
    elif name == "php" and "<?" not in text:
        name = "php_only"
    return None if name is None else _GRAMMARS[name]


def _queries(*names: str) -> str:
    return "".join((Path(__file__).parent / "queries" / f"{name}.scm").read_text(encoding="utf-8") for name in names)


class _Loaded:
    """A grammar ready for use. Comments have a query of their own: most texts contain many, few callers need them."""

    def __init__(self, grammar: Grammar) -> None:
        from tree_sitter import Language, Parser, Query

        language = Language(getattr(importlib.import_module(grammar.module), grammar.factory)())
        lines = _queries(*grammar.units).splitlines()
        self.parser = Parser(language)
        self.units = Query(language, "\n".join(line for line in lines if "@comment" not in line))
        self.comments = Query(language, "\n".join(line for line in lines if "@comment" in line))
        self.tests = Query(language, _queries(grammar.tests)) if grammar.tests else None


@cache
def _load(name: str) -> _Loaded:
    return _Loaded(_GRAMMARS[name])


@lru_cache(maxsize=16)
def parse(grammar: Grammar, source: bytes) -> tuple[Tree, bytes, int] | None:
    """The syntax tree, the bytes that it describes, and how many of them were put before ``source``.

    None: no text of that language, or too large a text. A fragment of class members that does not parse by itself is
    wrapped in a class on its own first line.
    """
    parser = _load(grammar.name).parser
    tree = parse_text(parser, source)
    if tree is None:
        return None
    if grammar.wrap is not None and tree.root_node.has_error and _is_balanced(source):
        before = grammar.wrap[0].encode()
        wrapped = before + source + grammar.wrap[1].encode()
        other = parse_text(parser, wrapped)
        if other is not None and not other.root_node.has_error:
            return other, wrapped, len(before)
    return tree, source, 0


# Strings and comments, in which brackets mean nothing.
_NO_CODE = re.compile(rb"""//[^\n]*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`""")


def _is_balanced(source: bytes) -> bool:
    """Whether as many brackets close as open. A fragment with others does not parse inside a class either."""
    pairs = ((b"{", b"}"), (b"(", b")"))
    if any(source.count(a) != source.count(b) for a, b in pairs):
        source = _NO_CODE.sub(b"", source)
    return all(source.count(a) == source.count(b) for a, b in pairs)


Matches = list[tuple[int, dict[str, list["Node"]]]]


def unit_matches(grammar: Grammar, node: Node) -> Matches:
    from tree_sitter import QueryCursor

    return QueryCursor(_load(grammar.name).units).matches(node)


def comment_ranges(grammar: Grammar, node: Node) -> list[tuple[int, int]]:
    """First byte and end of each comment (and docstring) under a node."""
    from tree_sitter import QueryCursor

    found = QueryCursor(_load(grammar.name).comments).captures(node)
    return [(c.start_byte, c.end_byte) for c in found.get("comment", ())]


def test_matches(grammar: Grammar, node: Node) -> Matches:
    from tree_sitter import QueryCursor

    query = _load(grammar.name).tests
    return [] if query is None else QueryCursor(query).matches(node)
