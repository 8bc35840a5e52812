"""The sources of a submission: which are compiled, which has the entry point, and in which language they are."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

from ..files import read_regular
from .table import Language, Table, by_extension

# Repetitions are bounded or possessive, so that hostile sources cannot cause backtracking.
_PACKAGE = re.compile(r"^[ \t]{0,80}package[ \t]{1,80}([\w.]+)\s{0,80};", re.MULTILINE)
_MAIN = re.compile(r"\bvoid\s{1,80}main\s{0,80}\(")
_WORDLESS = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}.*?(?:"{3}|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""", re.DOTALL
)
_JAVA = re.compile(
    r"(?P<brace>[{}])|\b(?:class|interface|enum|record)\s{1,80}(?P<type>[\w$]+)|\bvoid\s{1,80}main\s{0,80}\("
)
# Python 2 has the same suffix and is another language, which the format recognises by this line.
_PYTHON_2 = re.compile(r"#![^\n]{0,200}python2")
_MOST = 2000
_LARGEST = 1 << 24


class SourceError(Exception):
    """The submission cannot be compiled as it is: a compile error. One line for its author."""


def listing(root: Path) -> list[str]:
    """All files below `root`, relative and sorted, without hidden directories and those of package managers."""
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
    """The sources of one language. Raises: SourceError: there is none, or too many."""
    found = [path for path in listing(root) if os.path.splitext(path)[1] in language.extensions]
    if not found:
        raise SourceError(f"no {language.name} source here (one of {', '.join(language.extensions)})")
    if len(found) > _MOST:
        raise SourceError(f"{len(found):,} {language.name} sources, more than {_MOST:,}")
    return found


def guess(root: Path, table: Table, among: tuple[str, ...] = (), given: Path | None = None) -> Language:
    """The language of most sources, for a submission without a named language. Files that are as ``given`` are only
    asked where there are no others.

    Raises: SourceError: no source is in a known language.
    """
    counts: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for path in listing(root):
        language = by_extension(path, table)
        if language is not None and language.id == "python" and _PYTHON_2.match(_text(root / path)):
            continue
        if language is not None and (not among or language.id in among):
            same = given is not None and read_regular(given / path, _LARGEST) == (root / path).read_bytes()
            (left if same else counts)[language.id] += 1
    counts = counts or left
    if not counts:
        raise SourceError("no source of a known language here; name the language, or see `rigor doctor --languages`")
    order = list(table)
    return table[min(counts, key=lambda name: (-counts[name], order.index(name)))]


def entry_point(root: Path, sources: list[str], language: Language, own: frozenset[str] = frozenset()) -> str:
    """The source with the entry point: the only one, the one with a name from the table, or the only one of `own`.

    Raises: SourceError: several are possible.
    """
    if len(sources) == 1:
        return sources[0]
    for name in language.main:
        if name in sources:
            return name
    mine = [path for path in sources if path in own]
    if len(mine) == 1:
        return mine[0]
    if language.artefact == "classes":
        having = [path for path in sources if _MAIN.search(_text(root / path))]
        if len(having) == 1:
            return having[0]
    raise SourceError(f"{len(sources)} {language.name} sources and none named {' or '.join(language.main[:2])}")


def main_class(root: Path, path: str) -> str:
    """The name by which a JVM starts a file: its type with ``main``, independent of the file's name."""
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
