"""The file changes in an Aider answer: SEARCH/REPLACE blocks, whole files, unified diffs, patches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...model import FileChange
from ...patches import parse_patch

_SEARCH = re.compile(r"<{5,9} SEARCH>?\s*\Z")
_DIVIDER = re.compile(r"={5,9}\s*\Z")
_REPLACE = re.compile(r">{5,9} REPLACE\s*\Z")
# Aider chooses another pair of marks when the files contain the usual one.
_FENCE = re.compile(r"\s*(`{3,}|~{3,}|<(?:source|code|pre|codeblock|sourcecode)>\s*\Z)")
_LOOK_BACK = 3


@dataclass(slots=True)
class Block:
    """One edit of an answer. ``search`` and ``replace`` are None where the answer gives whole files or diffs."""

    change: FileChange
    search: str | None = None
    replace: str | None = None


def edit_blocks(text: str, edit_format: str, applied: set[str]) -> list[Block]:
    """The edits in an answer, in order. Whole files count only where the log says that they were ``applied``."""
    if "<<<<< SEARCH" in text:
        return _search_replace(text.split("\n"))
    if "*** Begin Patch" in text or "*** Update File:" in text:
        return [Block(change) for change in parse_patch(text)]
    if "udiff" in edit_format or "```diff" in text:
        found = [change for body in _fenced(text, "diff") for change in parse_patch(body)]
        if found:
            return [Block(change) for change in found]
    return _whole_files(text.split("\n"), applied) if applied else []


def open_fence(line: str) -> str | None:
    """The line that closes the code block which this line opens; None if it opens none."""
    if line[:1] not in ("`", "~", "<"):
        return None
    fence = _FENCE.match(line)
    return closing_fence(fence[1]) if fence is not None else None


def closing_fence(opening: str) -> str:
    return "</" + opening.rstrip()[1:] if opening.startswith("<") else opening


def same_file(path: str, shown: str) -> bool:
    """Whether a path in an answer is the one in a message, which is relative to the repository."""
    path, shown = path.replace("\\", "/"), shown.replace("\\", "/")
    if not path or not shown:
        return False
    return path == shown or path.endswith("/" + shown) or shown.endswith("/" + path)


def _search_replace(lines: list[str]) -> list[Block]:
    blocks: list[Block] = []
    path = ""
    index, end = 0, len(lines)
    while index < end:
        if not lines[index].startswith("<") or _SEARCH.match(lines[index]) is None:
            index += 1
            continue
        path = _path_before(lines, index) or path
        search, index = _until(lines, index + 1, _DIVIDER)
        replace, index = _until(lines, index + 1, _REPLACE)
        if index >= end:
            break  # the answer was cut off inside the block
        change = FileChange(path, hunks=[(_as_applied(search, path), _as_applied(replace, path))])
        blocks.append(Block(change, search, replace))
        index += 1
    return blocks


def _as_applied(text: str, path: str) -> str:
    """One half of a block as Aider applies it: without the file's name and the fence that models put inside.

    Aider joins the lines again and adds the last line end only if there is none yet, so one of the blank lines at the
    end is lost.
    """
    lines = text.split("\n")[:-1]
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    if lines and name and lines[0].strip().endswith(name):
        del lines[0]
    if len(lines) > 1 and (fence := open_fence(lines[0])) is not None and lines[-1].startswith(fence):
        lines = lines[1:-1]
    joined = "\n".join(lines)
    return joined if not joined or joined.endswith("\n") else joined + "\n"


def _until(lines: list[str], start: int, mark: re.Pattern[str]) -> tuple[str, int]:
    for index in range(start, len(lines)):
        if lines[index][:1] in ("=", ">") and mark.match(lines[index]) is not None:
            return "".join(line + "\n" for line in lines[start:index]), index
    return "", len(lines)


def _path_before(lines: list[str], index: int) -> str:
    """The file named on one of the lines above a block, around its fence."""
    for line in reversed(lines[max(0, index - _LOOK_BACK) : index]):
        if _FENCE.match(line) is not None:
            continue
        if _REPLACE.match(line) is not None:
            break
        name = line.strip().strip("#*`:").strip()
        if name:
            return name
    return ""


def _whole_files(lines: list[str], applied: set[str]) -> list[Block]:
    blocks: list[Block] = []
    index, end = 0, len(lines)
    while index < end:
        fence = _FENCE.match(lines[index])
        if fence is None:
            index += 1
            continue
        closing = closing_fence(fence[1])
        close = next((i for i in range(index + 1, end) if lines[i].rstrip() == closing), end)
        path = _path_before(lines, index)
        if close < end and any(same_file(path, name) for name in applied):
            content = "".join(line + "\n" for line in lines[index + 1 : close])
            blocks.append(Block(FileChange(path, after=content)))
        index = close + 1
    return blocks


def _fenced(text: str, language: str) -> list[str]:
    """The contents of the code blocks in this language; the last may be open."""
    return [part.split("\n```", 1)[0] + "\n" for part in text.split(f"```{language}\n")[1:]]
