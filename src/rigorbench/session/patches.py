"""Patches in the two notations that agents write: ``*** Begin Patch`` (apply_patch) and unified diffs."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from .model import FileChange

_MOST_LINES = 6_000


class _Hunks:
    """The changes of a patch while it is read: the lines of a hunk are collected until the hunk ends."""

    def __init__(self) -> None:
        self.changes: list[FileChange] = []
        self._old: list[str] = []
        self._new: list[str] = []

    def line(self, line: str) -> None:
        if line.startswith(("-", " ")) or line == "":
            self._old.append(line[1:])
        if line.startswith(("+", " ")) or line == "":
            self._new.append(line[1:])

    def end(self) -> None:
        if self.changes and (self._old or self._new):
            self.changes[-1].hunks.append(("\n".join(self._old), "\n".join(self._new)))
        self._old, self._new = [], []


def parse_patch(text: str) -> list[FileChange]:
    """The file changes of an apply_patch text or a unified diff; [] if it is neither."""
    if "*** Add File:" in text or "*** Update File:" in text or "*** Delete File:" in text:
        hunks = _Hunks()
        changes = hunks.changes
        for line in _lines(text):
            if line.startswith("*** "):
                marker, _, path = line[4:].partition(": ")
                if marker in ("Add File", "Update File", "Delete File"):
                    hunks.end()
                    operation = {"Add File": "create", "Update File": "modify", "Delete File": "delete"}[marker]
                    before = changes[-1] if changes else None
                    if before is not None and (before.path, before.operation) == (path.strip(), "delete"):
                        changes[-1:] = []  # removed and added again: written anew
                    changes.append(FileChange(path.strip(), operation))  # type: ignore[arg-type]
                    if operation == "create":
                        changes[-1].after = ""
                elif marker == "Move to" and changes:
                    changes[-1].operation, changes[-1].new_path = "rename", path.strip()
            elif changes and changes[-1].operation == "create":
                if line.startswith("+"):
                    changes[-1].after = (changes[-1].after or "") + line[1:] + "\n"
            elif line.startswith("@@"):
                hunks.end()
            elif changes and changes[-1].operation != "delete":
                hunks.line(line)
        hunks.end()
        return changes
    if text.startswith(("--- ", "diff --git ", "Index: ")) or "\n--- " in text:
        return unified(text)
    return []


_NEW_BINARY = re.compile(r"^Binary files /dev/null and b/(.+) differ$", re.MULTILINE)


def new_files(text: str) -> list[str]:
    """The files that a unified diff adds, those without text among them."""
    return [*(c.path for c in unified(text) if c.operation == "create"), *_NEW_BINARY.findall(text)]


def unified(text: str) -> list[FileChange]:
    """The file changes of a unified diff (plain or git). Malformed hunks keep the lines that were read."""
    hunks = _Hunks()
    changes = hunks.changes
    pending_old: str | None = None
    renamed_from: str | None = None
    in_hunk = False

    for line in _lines(text):
        if line.startswith("diff --git "):
            hunks.end()
            in_hunk, pending_old, renamed_from = False, None, None
        elif line.startswith("rename from "):
            renamed_from = line[12:]
        elif line.startswith("rename to ") and renamed_from is not None:
            changes.append(FileChange(renamed_from, "rename", new_path=line[10:]))
        elif line.startswith("--- ") and not (in_hunk and not line.startswith(("--- a/", "--- /"))):
            hunks.end()
            in_hunk, pending_old = False, _diff_path(line[4:])
        elif line.startswith("+++ ") and pending_old is not None:
            path = _diff_path(line[4:])
            if not (
                changes and changes[-1].operation == "rename" and changes[-1].new_path == path and not changes[-1].hunks
            ):
                if pending_old == "/dev/null":
                    changes.append(FileChange(path, "create", after=""))
                elif path == "/dev/null":
                    changes.append(FileChange(pending_old, "delete"))
                else:
                    changes.append(FileChange(path, "modify"))
            pending_old = None
        elif line.startswith("@@"):
            hunks.end()
            in_hunk = bool(changes)
        elif in_hunk:
            hunks.line(line)
    hunks.end()
    for change in changes:
        if change.operation == "create":
            change.after = "".join(added + "\n" for _, added in change.hunks)
            change.hunks = []
    return changes


def _lines(text: str) -> list[str]:
    """Lines between line feeds only: a form feed or U+2028 inside a line is part of the patched text."""
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _diff_path(text: str) -> str:
    path = text.split("\t", 1)[0].strip()
    if path.startswith(("a/", "b/")):
        path = path[2:]
    return path


@lru_cache(256)
def hunks(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """(old lines, new lines) of every changed region, in order; of very long regions one."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(a) * len(b) > _MOST_LINES * _MOST_LINES // 4 or not a or not b:
        return (("".join(a), "".join(b)),) if a or b else ()
    found = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append(("".join(a[i1:i2]), "".join(b[j1:j2])))
    return tuple(found)
