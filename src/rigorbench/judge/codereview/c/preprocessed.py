"""What the compiler's preprocessor made of one translation unit: which file every line is from, includes and macros.

The text is the output of ``g++ -E -dD -dI`` with the options of the real compile. Only line markers and the directives
that those options keep are read here. A submission can write line markers itself to pass its code off as a header of
the system, so only the nesting of files counts, and each file that is entered needs the include that entered it.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

Owner = Literal["submission", "problem", "system"]

_TOKEN = re.compile(
    r"(?P<directive>^[ \t]*#[^\n]*)"
    r'|(?P<raw>(?<!\w)(?:u8|[uUL])?R"(?P<delimiter>[^ ()\\\t\v\f\n]{0,16})\((?s:.*?)\)(?P=delimiter)")'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<!\w)\d(?:'?[\w.])*"
    r"|'(?:\\.|[^'\\\n])*'",
    re.MULTILINE,
)
_WITHOUT_RAW = re.compile(_TOKEN.pattern.replace("(?P<raw>(?<!\\w)", "(?P<raw>(?!)(?<!\\w)"), re.MULTILINE)
_MARKER = re.compile(r'# (\d+) "((?:\\.|[^"\\])*)"((?: \d)*)$')
_INCLUDE = re.compile(r'#\s*(include|include_next|import)\s*(?:<([^>\n]+)>|"([^"\n]+)")')
# What could be a line marker of the submission's own, in any spelling; comments may match, which is why it is only
# asked where a file seems to be entered twice.
_OWN_MARKER = re.compile(r"(?:#|%:|\?\?=)(?:\s|\\\n|/\*.*?\*/)*\d", re.DOTALL)
_HAS_INCLUDE = re.compile(
    r"(?<!#define )\b__has_(?:include|include_next|embed)\s*\((?:\s*(?:<([^>\n]+)>|\"([^\"\n]+)\"))?"
)
# The header that the compiler reads before any source.
_PREDEFINED = "/usr/include/stdc-predef.h"
# What the sandbox shows beside the system; a build can write anywhere else, such as to /tmp.
_PROBLEM = ("/include/", "/driver/", "/rigor/")
_SYSTEM = ("/usr/", "/lib", "/opt/", "/etc/", "<")


class Origin(NamedTuple):
    """The file in the sandbox and the line of it."""

    file: str
    line: int


class Include(NamedTuple):
    """One include: the header as written after macros, and the file that was read (None: it had been read before)."""

    file: str
    line: int
    directive: str
    name: str
    entered: str | None


class ForgedMarkersError(Exception):
    """The code passes itself off as another file."""


def owner(file: str) -> Owner:
    """Whose file it is, by its place in the sandbox."""
    if file.startswith(_PROBLEM):
        return "problem"
    return "system" if not file or file.startswith(_SYSTEM) else "submission"


class Preprocessed:
    """One preprocessed translation unit.

    Attributes:
        text: The code without markers and directives, except pragmas; its lines are those of the output.
        main: The source file.
        files: The files that were read.
        includes: The includes in files that are not the system's.
        directives: The definitions and pragmas in the submission's files.
        is_cpp: Whether it is C++.

    Raises:
        ForgedMarkersError: a line marker does not fit the nesting of the files.
    """

    def __init__(self, output: str, cwd: str, *, raw_strings: bool) -> None:
        self._cwd = cwd
        self.main = ""
        self.files: set[str] = set()
        self.includes: list[Include] = []
        self.directives: list[tuple[Origin, str]] = []
        self.reentered: set[str] = set()
        self._starts: list[int] = []
        self._origins: list[Origin] = []
        # (file, name that #line gave it)
        self._stack: list[tuple[str, str]] = []
        self._pending: Include | None = None
        parts: list[str] = []
        position = number = 0
        self._token = _TOKEN if raw_strings else _WITHOUT_RAW
        for match in self._token.finditer(output):
            if match["directive"] is None:
                continue
            number += output.count("\n", position, match.start())
            parts.append(output[position : match.start()])
            position = match.start()
            directive = match["directive"].strip()
            marker = _MARKER.match(directive)
            if marker is not None:
                self._mark(int(marker[1]), _unescaped(marker[2]), marker[3].split(), number)
            elif self._keep(directive, number):
                parts.append(match["directive"])
            position = match.end()
        parts.append(output[position:])
        self.text = "".join(parts)
        self.is_cpp = "#define __cplusplus " in output
        if self._stack and len(self._stack) != 1:
            raise ForgedMarkersError(self._stack[-1][0])

    def origin(self, number: int) -> Origin:
        """Where a line of the text, from 1, is from."""
        at = bisect_right(self._starts, number - 1) - 1
        if at < 0:
            return Origin(self.main, 1)
        file, line = self._origins[at]
        return Origin(file, line + number - 1 - self._starts[at])

    def code(self) -> Iterator[tuple[Origin, str]]:
        """The lines and directives of the submission's files without strings."""
        yield from self._lines
        yield from self.directives

    @cached_property
    def _lines(self) -> list[tuple[Origin, str]]:
        lines = self.text.split("\n")
        found = []
        for first, last, file in self.ranges():
            if owner(file) != "submission":
                continue
            # Strings become empty; one over several lines keeps its line breaks.
            part = self._token.sub(_without_literal, "\n".join(lines[first - 1 : last]))
            for number, line in enumerate(part.split("\n"), first):
                if line.strip():
                    found.append((self.origin(number), line.strip()))
        return found

    def ranges(self) -> Iterator[tuple[int, int, str]]:
        """(first line, last line, file) of the text, in order."""
        for n, start in enumerate(self._starts):
            end = self._starts[n + 1] if n + 1 < len(self._starts) else 1 << 40
            if end > start:
                yield start + 1, end, self._origins[n].file

    def _mark(self, line: int, name: str, flags: list[str], number: int) -> None:
        path = posixpath.normpath(posixpath.join(self._cwd, name)) if not name.startswith("<") else name
        self.main = self.main or path
        if "1" in flags:
            self._enter(path)
        elif "2" in flags:
            if not self._stack:
                raise ForgedMarkersError(path)
            self._stack.pop()
            if self._stack and self._stack[-1][1] != path:
                raise ForgedMarkersError(path)
        elif self._stack:
            if path != self._stack[-1][1]:
                if owner(path) != "submission" and owner(self._stack[-1][0]) == "submission":
                    raise ForgedMarkersError(self._stack[-1][0])
                self._stack[-1] = (self._stack[-1][0], path)
        elif path == self.main and line == 1:
            self._stack.append((path, path))
            self.files.add(path)
        self._starts.append(number + 1)
        self._origins.append(Origin(self._stack[-1][0] if self._stack else "<built-in>", line))

    def _enter(self, path: str) -> None:
        # Before the source itself come headers that the options of the compiler name.
        if self._stack:
            include, self._pending = self._pending, None
            spelled = posixpath.normpath(include.name) if include is not None else ""
            bare = re.sub(r"^(?:\.\./)+", "", spelled)
            if include is None or not f"/{path}".endswith(f"/{bare}"):
                raise ForgedMarkersError(self._stack[-1][0])
            if self.includes and self.includes[-1] is include:
                self.includes[-1] = include._replace(entered=path)
            if path in self.files and owner(self._stack[-1][0]) == "submission":
                self.reentered.add(self._stack[-1][0])
        elif path != _PREDEFINED:
            self.includes.append(Include(self.main, 1, "-include", path, path))
        self.files.add(path)
        self._stack.append((path, path))

    def _keep(self, directive: str, number: int) -> bool:
        """Note a directive; True: it is a pragma, which the compiler reads."""
        here = self.origin(number + 1)
        found = _INCLUDE.match(directive)
        if found is not None:
            self._pending = Include(here.file, here.line, found[1], found[2] or found[3], None)
            if owner(here.file) != "system":
                self.includes.append(self._pending)
            return False
        if owner(here.file) == "submission" and not directive.startswith("# "):
            self.directives.append((here, directive))
        return directive.startswith("#pragma")


def _without_literal(match: re.Match[str]) -> str:
    text = match[0]
    if match["directive"] is not None or text[0].isdigit():
        return text
    return text[-1] + "\n" * text.count("\n") + text[-1]


def may_write_markers(text: str) -> bool:
    """Whether a file could have line markers of its own."""
    return _OWN_MARKER.search(text) is not None


def asks_outside(text: str, path: str) -> bool:
    """Whether a file asks with ``__has_include`` for what is not the same where it is judged.

    Names of headers, and files within the submission, are.

    Args:
        text: The file.
        path: Its path in the submission.
    """
    for match in _HAS_INCLUDE.finditer(text):
        name = match[1] or match[2]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else ".."
        if place.startswith(("/", "..")):
            return True
    return False


def _unescaped(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)
