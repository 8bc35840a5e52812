"""The work tree, index and HEAD of a session as the log changes them, and how logged edits apply to file contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ..trajectory.model import FileChange
from .store import Change, Entry, Store

# Never part of a snapshot: git's own files, and those that tools put beside the sources.
_NOT_SOURCE = frozenset(
    {".git", "__pycache__", "node_modules", ".venv", "venv", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)


class EditError(Exception):
    """An edit does not apply exactly; the message says why in a few words."""


class State:
    """Files as overlays on the start tree: ``work`` (the files), ``index`` (staged) and ``head`` (committed).

    Attributes:
        unknown: paths whose content the log does not show, with the reason.
        lost: the reason why nothing is known any more; None: the other files are known.
    """

    def __init__(self, store: Store, start: str) -> None:
        self.store = store
        self.start = store.files(start)
        self.work: dict[str, Change] = {}
        self.index: dict[str, Change] = {}
        self.head: dict[str, Change] = {}
        self.stashes: list[dict[str, Change]] = []
        self.unknown: dict[str, str] = {}
        self.lost: str | None = None

    @property
    def exact(self) -> bool:
        return self.lost is None and not self.unknown

    def why(self) -> str | None:
        return self.lost or next(iter(self.unknown.values()), None)

    def get(self, path: str, layer: dict[str, Change] | None = None) -> Change:
        layer = self.work if layer is None else layer
        return layer[path] if path in layer else self.start.get(path)

    def paths(self, layer: dict[str, Change] | None = None) -> Iterator[str]:
        layer = self.work if layer is None else layer
        yield from (p for p in self.start if layer.get(p, self) is not None)
        yield from (p for p, entry in layer.items() if entry is not None and p not in self.start)

    def under(self, path: str, layer: dict[str, Change] | None = None) -> list[str]:
        """The files that a path names: itself, or everything inside the directory ("" for all)."""
        if path in ("", "."):
            return list(self.paths(layer))
        if self.get(path, layer) is not None:
            return [path]
        return [p for p in self.paths(layer) if p.startswith(path + "/")]

    def text(self, path: str) -> str | None:
        entry = self.get(path)
        if entry is None or entry.mode not in ("100644", "100755"):
            return None
        return self.store.blob(entry.sha).decode("utf-8", "surrogateescape")

    def set(self, path: str, entry: Change) -> None:
        """Write a file, or delete it (None)."""
        if any(part in _NOT_SOURCE for part in path.split("/")):
            return
        self.unknown.pop(path, None)
        if entry == self.start.get(path):
            self.work.pop(path, None)
        else:
            self.work[path] = entry

    def write(self, path: str, text: str) -> None:
        old = self.get(path)
        mode = old.mode if old is not None and old.mode in ("100644", "100755") else "100644"
        try:
            content = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half a character, as a cut JSON string leaves it
            content = text.encode("utf-8", "replace")
        self.set(path, Entry(mode, self.store.put(content)))

    def mark_unknown(self, paths: Iterable[str], reason: str) -> None:
        for path in paths:
            if not any(part in _NOT_SOURCE for part in path.split("/")):
                self.unknown.setdefault(path, reason)

    def lose(self, reason: str) -> None:
        if self.lost is None:
            self.lost = reason

    # Git

    def stage(self, paths: Iterable[str]) -> None:
        for path in paths:
            _place(self.index, path, self.get(path), self.start)

    def tracked(self, path: str) -> bool:
        return self.get(path, self.index) is not None

    def commit(self, paths: Iterable[str] | None, *, everything: bool) -> None:
        """Commit the index; ``everything`` stages changed tracked files first, ``paths`` only those."""
        if everything:
            self.stage([p for p in {*self.work, *self.index} if self.tracked(p)])
        elif paths is not None:
            self.stage(paths)
        self.head = dict(self.index)

    def restore(self, paths: Iterable[str], layer: dict[str, Change]) -> None:
        for path in paths:
            self.set(path, self.get(path, layer))

    def reset_hard(self) -> None:
        for path in list({*self.work, *self.index, *self.unknown}):
            if self.tracked(path) or self.get(path, self.head) is not None:
                self.set(path, self.get(path, self.head))
        self.index = dict(self.head)

    def stash(self) -> None:
        self.stashes.append({p: self.get(p) for p in list(self.work) if self.tracked(p)})
        self.reset_hard()

    def unstash(self) -> bool:
        """Restore the last stash; False when that is not exact (the same files were changed since)."""
        if not self.stashes:
            return False
        saved = self.stashes.pop()
        if any(self.get(p) != self.get(p, self.head) for p in saved):
            return False
        for path, entry in saved.items():
            self.set(path, entry)
        return True


def _place(layer: dict[str, Change], path: str, entry: Change, start: dict[str, Entry]) -> None:
    if entry == start.get(path):
        layer.pop(path, None)
    else:
        layer[path] = entry


How = Literal["tool", "patch", "lines", "shell"]


def apply(
    state: State, path: str, change: FileChange, new_path: str | None, *, how: How = "tool", anchored: bool = False
) -> None:
    """Apply one logged change.

    Args:
        how: "tool" replaces strings that must occur once. "patch" replaces whole lines. "lines" replaces the first
            whole lines that are the old ones, and appends the new ones if there are no old ones. "shell" replaces
            strings that may be missing (then nothing happens), and appends text without an old one.
        anchored: the patch has anchors (``@@ name``), which may skip matches.

    Raises:
        EditError: the change cannot be applied exactly. The file's content is then unknown.
    """
    if change.operation == "delete":
        for victim in state.under(path):
            state.set(victim, None)
        return
    if change.operation == "rename" and new_path is not None:
        _rename(state, path, new_path)
        path = new_path
        if not change.hunks and change.after is None:
            return
    if change.after is not None:
        state.write(path, change.after)
        return
    if change.before is not None:
        if state.get(path) is None or state.text(path) != change.before:
            state.write(path, change.before)
        text: str | None = change.before
    elif path in state.unknown:
        raise EditError(f"{path} had already changed in a way that the log does not show")
    else:
        text = state.text(path)
    if text is None and how == "shell" and change.operation != "create" and change.hunks and change.hunks[0][0] == "":
        text = ""  # >> makes the file
    if how == "shell" and change.operation == "create":
        raise EditError(f"the log does not show what was written to {path}")
    if text is None:
        raise EditError(f"{path} is not in the tree at this point")
    if not change.hunks:
        raise EditError(f"the log does not show what was changed in {path}")
    state.write(path, edited(text, change, how, anchored=anchored))


def _rename(state: State, path: str, new_path: str) -> None:
    inside = state.under(path)
    if not inside:
        raise EditError(f"{path} does not exist at this point")
    for source in inside:
        state.set(new_path + source[len(path) :], state.get(source))
        state.set(source, None)


def edited(text: str, change: FileChange, how: How = "tool", *, anchored: bool = False) -> str:
    """``text`` after the change's hunks.

    Raises:
        EditError: a hunk's old text is missing, or occurs more than once.
    """
    crlf = "\r\n" in text and not any("\r\n" in old for old, _ in change.hunks)
    if crlf:
        text = text.replace("\r\n", "\n")
    if change.at_line is not None and change.hunks:
        lines = text.split("\n")
        lines[change.at_line : change.at_line] = change.hunks[0][1].split("\n")
        text = "\n".join(lines)
    elif how == "patch":
        text = _by_lines(text, change.hunks, anchored=anchored)
    elif how == "lines":
        for old, new in change.hunks:
            text = _first_lines(text, old, new)
    elif how == "shell":
        for old, new in change.hunks:
            if old == "":
                text += new
            elif change.replace_all or text.count(old) <= 1:
                text = text.replace(old, new)
            else:
                raise EditError(f"the old text of the edit is in the file {text.count(old)} times")
    else:
        for old, new in change.hunks:
            text = _by_string(text, old, new, everywhere=change.replace_all)
    return text.replace("\n", "\r\n") if crlf else text


def _by_string(text: str, old: str, new: str, *, everywhere: bool) -> str:
    if old == "":
        if text:
            raise EditError("an edit with an empty old text on a file that is not empty")
        return new
    count = text.count(old)
    if count == 1 or (everywhere and count):
        return text.replace(old, new)
    if count == 0:
        raise EditError("the old text of the edit is not in the file")
    # The tool reported success, so it works by whole lines: only such matches count.
    starts = list(_whole_lines(text, old))
    if len(starts) != 1:
        raise EditError(f"the old text of the edit is in the file {count} times")
    return text[: starts[0]] + new + text[starts[0] + len(old) :]


def _whole_lines(text: str, old: str) -> Iterator[int]:
    """Where the old text occurs as whole lines."""
    start = text.find(old)
    while start >= 0:
        end = start + len(old)
        if text[start - 1 : start] in ("", "\n") and (text[end : end + 1] in ("", "\n") or text[end - 1] == "\n"):
            yield start
        start = text.find(old, start + 1)


def _first_lines(text: str, old: str, new: str) -> str:
    if text and not text.endswith("\n"):
        text += "\n"
    if not old.strip():
        return text + new
    start = next(_whole_lines(text, old), None)
    if start is None:
        raise EditError("the old lines of the edit are not in the file")
    return text[:start] + new + text[start + len(old) :]


def _by_lines(text: str, hunks: list[tuple[str, str]], *, anchored: bool) -> str:
    """Line-based hunks, each searched after the one before.

    An anchor (``@@ name``) may skip matches, so with anchors only a single match is exact.
    """
    lines = text.split("\n")
    cursor = 0
    for old, new in hunks:
        removed, added = old.split("\n") if old else [], new.split("\n") if new else []
        if not removed:
            if text.strip():
                raise EditError("the log does not show where the patch inserts its lines")
            lines = [*added, ""]
            continue
        size = len(removed)
        found = [i for i in range(cursor, len(lines) - size + 1) if lines[i : i + size] == removed]
        if not found:
            raise EditError("the old lines of the patch are not in the file")
        if len(found) > 1 and anchored:
            raise EditError(f"the old lines of the patch are in the file {len(found)} times")
        lines[found[0] : found[0] + size] = added
        cursor = found[0] + len(added)
    return "\n".join(lines)
