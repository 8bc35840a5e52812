"""The files that compilers, type checkers, linters and formatters complain about, with what they say."""

from __future__ import annotations

import re

from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ..testruns.messages import messages
from ..testruns.runners.clean import clean

# path:12:5: message · path(12,5): error TS2345: message · path:12: message · --> path:12:5
_LINE = lazy(
    r"^(?:\s*-->\s*|\W{0,3}|.{0,60}?[\s\[(])?((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})"
    r"(?::\d+|\(\d+[,:]\d+\)| \(\d+:\d+\))(.*)$"
)
# rollup and its like: [plugin name] path: message
_PLUGIN = lazy(r"^.{0,200}\[[^\]]+\] ([\w@./\\+-]+\.[A-Za-z]\w{0,5}): (.*)$")
# eslint and its like: the path on a line of its own, and below it "  12:5  error  message".
_HEADING = lazy(r"^((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})$")
_ROW = lazy(r"^\s+\d+:\d+\s+(.*)$")
# prettier: "[warn] path", "[error] path: SyntaxError: ...", ruff format and black: "would reformat path",
# "error: cannot format path: Cannot parse: 1:4: ...".
_UNFORMATTED = lazy(
    r"^(?:\[(?:warn|error)\]|[Ww]ould reformat:?|error: cannot format) "
    r"((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})(?:: (.*))?$"
)
_LONGEST = 2000  # characters kept of what is said about one file
# The end of every path that _LINE matches.
_PLACE = re.compile(r"\.[A-Za-z]\w{0,5}(?::\d| ?\(\d)")


def diagnosed(output: str) -> dict[str, str]:
    """What the output says about each file that it names; files of libraries and warnings apart."""
    found: dict[str, str] = {}
    libraries = messages().libraries
    heading: str | None = None
    for line in clean(output).split("\n"):
        if len(line) > 1000 or not ("." in line or (heading is not None and ":" in line)):
            continue
        path, said = "", ""
        if (match := _HEADING.match(line)) is not None:
            heading = match[1]
        elif heading is not None and (row := _ROW.match(line)) is not None:
            path, said = heading, row[1]
        elif (unformatted := _UNFORMATTED.match(line)) is not None:
            path, said = unformatted[1], unformatted[2] or ""
        elif (match := _named(line)) is not None:
            path, said = match[1], match[2]
        if not path or said.lstrip(" :-").lower().startswith("warning") or any(x in path for x in libraries):
            continue
        if is_source(path) or "/" in path:
            found[path] = f"{found.get(path, '')}\n{said}"[:_LONGEST]
    return found


def _named(line: str) -> re.Match[str] | None:
    """The file that a line names, and what it says about it."""
    plugin = _PLUGIN.match(line) if "] " in line else None
    return plugin or (_LINE.match(line) if _PLACE.search(line) else None)
