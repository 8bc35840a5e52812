"""The way from one tree to another as the calls of a scripted policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .trees import Change, Tree, changes, lines

Calls = list[dict[str, Any]]


def calls_between(old: Tree, new: Tree) -> Iterator[tuple[str, Calls]]:
    """For each file that differs, the calls that change it: edits of the places that differ, or the whole file."""
    by_file: dict[str, list[Change]] = {}
    for change in changes(old, new):
        by_file.setdefault(change.file, []).append(change)
    for file, found in by_file.items():
        if file not in new:
            yield file, [{"tool": "shell", "command": f"git rm -q '{file}'"}]
        elif not old.get(file):
            # An edit needs a text to replace, and an empty file has none.
            yield file, [{"tool": "write", "path": file, "content": new[file].decode()}]
        else:
            yield file, _edits(file, lines(old[file]), lines(new[file]), found)


def _edits(file: str, old: list[str], new: list[str], found: list[Change]) -> Calls:
    """One edit for each change, from the last to the first, so that the lines before it are still the old ones."""
    calls: Calls = []
    now = list(old)
    for change in reversed(found):
        start, end = change.start, change.end
        replacement = new[change.new_start : change.new_end]
        # `old` must occur exactly once, and an insertion needs a line to hold on to.
        while start == end or not _once(now, start, end):
            if start > 0:
                start, replacement = start - 1, [now[start - 1], *replacement]
            if end < len(now) and (start == 0 or not _once(now, start, end)):
                end, replacement = end + 1, [*replacement, now[end]]
        calls.append({"tool": "edit", "path": file, "old": "".join(now[start:end]), "new": "".join(replacement)})
        now[start:end] = replacement
    return calls


def _once(now: list[str], start: int, end: int) -> bool:
    """Whether the text of these lines is nowhere else in the file, overlaps included."""
    whole, part = "".join(now), "".join(now[start:end])
    return whole.find(part) == whole.rfind(part)
