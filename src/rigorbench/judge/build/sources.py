"""What of a submission is compiled: its sources, the one with the entry point, its language when none is named."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

from .table import Language, Table, by_extension

# Bounded, or to the end of the text where nothing closes them: sources are hostile, and each place is looked at once.
_PACKAGE = re.compile(r"^[ \t]{0,80}package[ \t]{1,80}([\w.]+)\s{0,80};", re.MULTILINE)
_MAIN = re.compile(r"\bvoid\s{1,80}main\s{0,80}\(")
_WORDLESS = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}.*?(?:"{3}|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""", re.DOTALL
)
_JAVA = re.compile(
    r"(?P<brace>[{}])|\b(?:class|interface|enum|record)\s{1,80}(?P<type>[\w$]+)|\bvoid\s{1,80}main\s{0,80}\("
)
_MOST = 2000


class SourceError(Exception):
    """The submission cannot be compiled as it is: a compile error. One line for its author."""


def listing(root: Path) -> list[str]:
    """All files below ``root``, relative, sorted; hidden directories and what package managers fetch are left out."""
    found: list[str] = []
    for directory, directories, files in os.walk(root):
        directories[:] = sorted(
            d for d in directories if not d.startswith(".") and d not in ("node_modules", "__pycache__")
        )
        for name in files:
            path = os.path.join(directory, name)
            if os.path.isfile(path) and not os.path.islink(path):
                found.append(os.path.relpath(path, root))
    return sorted(found)


def of_language(root: Path, language: Language) -> list[str]:
    """The sources of one language.

    Raises:
        SourceError: there is none, or too many.
    """
    found = [path for path in listing(root) if os.path.splitext(path)[1] in language.extensions]
    if not found:
        raise SourceError(f"no {language.name} source here (one of {', '.join(language.extensions)})")
    if len(found) > _MOST:
        raise SourceError(f"{len(found):,} {language.name} sources, more than {_MOST:,}")
    return found


def guess(root: Path, table: Table, among: tuple[str, ...] = ()) -> Language:
    """The language of a submission that names none: that of most of its sources.

    Raises:
        SourceError: none is known.
    """
    counts: Counter[str] = Counter()
    for path in listing(root):
        language = by_extension(path, table)
        if language is not None and (not among or language.id in among):
            counts[language.id] += 1
    if not counts:
        raise SourceError("no source of a known language here; name the language, or see `rigor judge languages`")
    order = list(table)
    return table[min(counts, key=lambda name: (-counts[name], order.index(name)))]


def entry_point(root: Path, sources: list[str], language: Language) -> str:
    """The source that is run or compiled first: the only one, or the one with the table's name for it.

    Raises:
        SourceError: it cannot be told which.
    """
    if len(sources) == 1:
        return sources[0]
    for wanted in language.main:
        if wanted in sources:
            return wanted
    if language.artefact == "classes":
        having = [path for path in sources if _MAIN.search(_text(root / path))]
        if len(having) == 1:
            return having[0]
    raise SourceError(f"{len(sources)} {language.name} sources and none named {' or '.join(language.main[:2])}")


def main_class(root: Path, path: str) -> str:
    """The name by which a JVM starts the class of a file: its type with ``main``, whatever the file is called."""
    code = _WORDLESS.sub(" ", _text(root / path))
    match = _PACKAGE.search(code)
    name, outer, depth = os.path.splitext(os.path.basename(path))[0], "", 0
    for token in _JAVA.finditer(code):
        if token["brace"]:
            depth += 1 if token["brace"] == "{" else -1
        elif token["type"]:
            outer = token["type"] if depth == 0 else outer
        elif depth == 1 and outer:
            name = outer
            break
    return f"{match[1]}.{name}" if match else name


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def includes(root: Path, sources: list[str], header: str) -> bool:
    """Whether one of the sources includes a header by its name in angle brackets."""
    pattern = re.compile(rf"^\s*#\s*include\s*<{re.escape(header)}>", re.MULTILINE)
    return any(pattern.search(_text(root / path)) for path in sources)
