"""The changes between two captured states of a work tree, as diffs of limited size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from ....review.pages.diffs import Diff, diff
from ....session.model import FileChange
from ....session.readers.capture.store import MissingObject, TreeEntry, TreeReader

# What a page shows at most; the rest is counted.
FILES_SHOWN = 40
FILE_CHARACTERS = 12_000
PAGE_CHARACTERS = 250_000
# A larger file is named, not read.
_BLOB_BYTES = 400_000


class FileView(Struct):
    """A changed file. ``diff`` None: its text is not shown, and ``note`` says why."""

    path: str
    operation: str
    note: str
    diff: Diff | None


class TreeChange(Struct):
    """``files``: the first of them; ``more``: how many are only counted. ``problem``: why nothing is known."""

    files: list[FileView]
    more: int
    added: int
    removed: int
    problem: str = ""


def tree_changes(path: Path, trees: Sequence[str], room: int = PAGE_CHARACTERS) -> list[TreeChange | None]:
    """For each tree what it changed against the one before it; None for the first.

    ``path``: the ``store.git`` of a run. ``room``: about how many characters of diffs to show altogether.
    """
    if not (path / "objects").is_dir():
        return [None if n == 0 else TreeChange([], 0, 0, 0, "store.git is missing") for n in range(len(trees))]
    found: list[TreeChange | None] = [None] * min(1, len(trees))
    with TreeReader(path) as store:
        for old, new in pairwise(trees):
            change = _change(store, old, new, room)
            room -= sum(len(run.text) for file in change.files if file.diff is not None for run in file.diff.runs)
            found.append(change)
    return found


def _change(store: TreeReader, old: str, new: str, room: int) -> TreeChange:
    try:
        # Files of a directory are together, in the order of git.
        found = sorted(store.differing(old, new).items(), key=lambda item: item[0].split("/"))
    except MissingObject:
        return TreeChange([], 0, 0, 0, "store.git does not contain this state or the one before it")
    except (ValueError, RecursionError):
        return TreeChange([], 0, 0, 0, "store.git is damaged here")
    listed = [(path, before, after) for path, (before, after) in found]
    # A deleted and a new file with the same content are one renamed file.
    gone = {before.sha: path for path, before, after in listed if before is not None and after is None}
    taken: dict[str, str] = {}
    for path, before, after in listed:
        if before is None and after is not None and after.sha in gone:
            taken[gone.pop(after.sha)] = path
    targets = set(taken.values())
    pairs = [(path, taken.get(path), before, after) for path, before, after in listed if path not in targets]
    change = TreeChange([], max(0, len(pairs) - FILES_SHOWN), 0, 0)
    for path, new_path, before, after in pairs[:FILES_SHOWN]:
        view = _file(store, path, new_path, before, after, min(room, FILE_CHARACTERS))
        if view.diff is not None:
            room -= sum(len(run.text) for run in view.diff.runs)
            change.added += view.diff.added
            change.removed += view.diff.removed
        change.files.append(view)
    return change


def _file(
    store: TreeReader, path: str, new_path: str | None, before: TreeEntry | None, after: TreeEntry | None, room: int
) -> FileView:
    operation = "rename" if new_path else "create" if before is None else "delete" if after is None else "modify"
    title = f"{path} → {new_path}" if new_path else path
    if new_path is not None:
        return FileView(title, operation, "the content is the same", None)
    if before is not None and after is not None and before.sha == after.sha:
        return FileView(title, operation, f"mode {before.mode} → {after.mode}", None)
    if room <= 0:
        return FileView(title, operation, "not shown: the page is long enough", None)
    texts: list[str | None] = []
    for entry in (before, after):
        if entry is None:
            texts.append(None)
            continue
        try:
            kind, content = store.read(entry.sha)
        except MissingObject:
            kind, content = "", b""
        if kind != "blob":
            return FileView(title, operation, "not a file in the store", None)
        if len(content) > _BLOB_BYTES:
            return FileView(title, operation, f"{len(content):,} bytes: too large to show", None)
        if b"\0" in content[:8_000]:
            return FileView(title, operation, f"not text, {len(content):,} bytes", None)
        texts.append(content.decode("utf-8", "replace"))
    # Counted from both texts, or from the one that there is.
    shown = diff(FileChange(path, before=texts[0], after=texts[1]), room)
    return FileView(title, operation, "" if shown.runs else "empty", shown if shown.runs else None)
