"""What the log has shown of each file so far: enough to find the function that contains an edited line.

Nothing is parsed before an edit; then the last text seen is searched for the replaced lines.
"""

from __future__ import annotations

from ...base.patterns import lazy
from ...session.model import FileChange
from .units import units_at

# Line numbers that tools print before each line: `    12→`, `12\t`, `12: `, `L12: `, `12|`. (Begun with the line end
# of the line before: a literal, which the engine looks for much faster than for the place `^`.)
_NUMBER = lazy(r"\n[ \t]*L?\d{1,6}(?:→|\t|: ?|\| ?)")
# Larger texts are not searched: a file of that size is rarely shown whole, and never cheap.
_LARGEST = 400_000


def unnumbered(text: str) -> str:
    """The text without line numbers, if it has them."""
    lines = text[:4000].splitlines()[:12]
    numbered = sum(1 for line in lines if _NUMBER.match("\n" + line))
    return _NUMBER.sub("\n", "\n" + text)[1:] if numbered and numbered * 3 >= len(lines) * 2 else text


class FileMemory:
    """The last known text of each file, by path."""

    def __init__(self) -> None:
        self._seen: dict[str, list[str]] = {}

    def show(self, path: str, text: str) -> None:
        """A tool showed (a part of) the file."""
        if text and len(text) < _LARGEST:
            shown = self._seen.setdefault(path, [])
            shown.append(unnumbered(text))
            del shown[:-8]

    def write(self, path: str, text: str) -> None:
        """The whole file was written."""
        if len(text) < _LARGEST:
            self._seen[path] = [unnumbered(text)]

    def text(self, path: str) -> str:
        """What is known of the file, "" if nothing is."""
        return "\n".join(self._seen.get(path, ()))

    def move(self, path: str, new_path: str) -> None:
        if path in self._seen:
            self._seen[new_path] = self._seen.pop(path)

    def forget(self, path: str) -> None:
        self._seen.pop(path, None)

    def apply(self, path: str, change: FileChange, *, names: bool = True) -> list[str]:
        """Applies a change; returns the names of the units around its hunks ([]: not known, or not ``names``)."""
        shown = self._seen.get(path)
        if not shown:
            return []
        inside: dict[str, None] = {}
        for old, new in change.hunks:
            if not old:
                continue
            found: list[str] = []
            for number in reversed(range(len(shown))):
                text = shown[number]
                at = text.find(old)
                if at < 0:
                    continue
                if names and not found:
                    # The last piece may begin inside the unit: an earlier one shows where the unit opens.
                    found = _enclosing(path, text, at + _common_prefix(old, new))
                shown[number] = text[:at] + new + text[at + len(old) :]
            inside.update(dict.fromkeys(found))
        return list(inside)


# A line that may open a unit; the grammar decides whether it does.
# (Each alternative of the first expression begins with a literal, which the engine finds fast.)
_OPENS = lazy(
    r"def(?<!\wdef)\b|fn(?<!\wfn)\b|func(?<!\wfunc)(?:tion)?\b|class(?<!\wclass)\b|impl(?<!\wimpl)\b|"
    r"struct(?<!\wstruct)\b|interface(?<!\winterface)\b|trait(?<!\wtrait)\b|enum(?<!\wenum)\b|"
    r"module(?<!\wmodule)\b|object(?<!\wobject)\b|namespace(?<!\wnamespace)\b|=>|\)[\w\s:<>,|&.]*\{\s*$"
)
_DECLARES = lazy(r"\s*(?:public|private|protected|static|async|export|override|final|const|let|var)\b.*[({]\s*$")
_MOST_LINES = 1500


def _enclosing(path: str, text: str, at: int) -> list[str]:
    """Names of the units around an offset.

    Parsing a whole file for every edit would cost more than all the rest, so only its outline around the offset is
    parsed: the opening lines above it, each less indented than the one below, and a few lines of the place itself.
    """
    line_start = text.rfind("\n", 0, at) + 1
    line_end = text.find("\n", at)
    here = text[line_start : line_end if line_end >= 0 else len(text)]
    indent = _indent(here) if here.strip() else 1_000
    if not here.strip():
        indent = next((_indent(line) for line in text[at:].splitlines()[1:20] if line.strip()), 0)
    outline: list[str] = []
    end = line_start - 1
    for _ in range(_MOST_LINES):
        if indent == 0 or end <= 0:
            break
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        end = start - 1
        if line and not line.isspace():
            depth = _indent(line)
            if depth < indent and line[depth] not in "})]#*":
                if _opens(line):
                    outline.append(line)
                    indent = depth
                elif depth == 0:
                    break
    outline.reverse()
    count = len(outline)
    body = here if here.strip() else "    " * (count + 1) + "x = 1"
    if count == 0 and not _opens(body):
        return []
    lines = [_opened(line) for line in (*outline, body)]
    braces = 0 if path.endswith((".py", ".pyi", ".rb")) else sum(line.count("{") - line.count("}") for line in lines)
    skeleton = "\n".join(lines) + "\n" + "}\n" * braces
    return units_at(path, skeleton, count + 1, count + 1)


def _opens(line: str) -> bool:
    return _OPENS.search(line) is not None or _DECLARES.match(line) is not None


def _opened(line: str) -> str:
    """An opening line; if its parameters continue below, they are closed so that the grammar sees a whole header."""
    if line.count("(") > line.count(")") and line.rstrip().endswith(("(", ",")):
        return line.rstrip(", ") + ("):" if line.lstrip().startswith(("def ", "async def ", "class ")) else ") {")
    return line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _common_prefix(old: str, new: str) -> int:
    """Length of the leading lines that a replacement keeps (an editor's context)."""
    length = 0
    for a, b in zip(old.splitlines(keepends=True)[:-1], new.splitlines(keepends=True), strict=False):
        if a != b:
            break
        length += len(a)
    return length
