"""The changes between two captured states of a work tree, as diffs of limited size."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO

from msgspec import Struct

from ...trajectory.model import FileChange
from ..session.diffs import Diff, diff

# What a page shows at most; the rest is counted.
FILES_SHOWN = 40
FILE_CHARACTERS = 12_000
PAGE_CHARACTERS = 250_000
# A larger file is named, not read.
_BLOB_BYTES = 400_000
_DIRECTORY = "40000"
_ENVIRONMENT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}


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


class Missing(Exception):
    """The store does not contain an object."""


class _Entry(Struct, frozen=True):
    mode: str
    sha: str


class TreeStore:
    """Reads ``store.git`` of a run: one git process, no work tree, no configuration except the store's.

    Raises:
        OSError: git is not installed, or the store is no directory.
    """

    def __init__(self, path: Path) -> None:
        if not (path / "objects").is_dir():
            raise FileNotFoundError(2, "no such store", str(path))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        self._git = subprocess.Popen(
            ["git", "-c", "core.fsmonitor=false", "--git-dir", os.fspath(path), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**kept, **_ENVIRONMENT},
        )
        self._trees: dict[str, dict[str, _Entry]] = {}

    def __enter__(self) -> TreeStore:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._git.stdin, self._git.stdout):
            with contextlib.suppress(BrokenPipeError):
                _open(stream).close()
        self._git.wait()

    def read(self, sha: str, kind: str, limit: int | None = None) -> tuple[int, bytes | None]:
        """(size, content) of an object; the content is None when it is larger than ``limit`` bytes.

        Raises:
            Missing: the store does not contain it, or it is of another kind.
        """
        if not sha or not set(sha) <= set("0123456789abcdef"):
            raise Missing(sha)
        try:
            _open(self._git.stdin).write(sha.encode() + b"\n")
            _open(self._git.stdin).flush()
        except BrokenPipeError:
            raise Missing(sha) from None
        answer = _open(self._git.stdout)
        header = answer.readline().split()
        if len(header) != 3:
            raise Missing(sha)
        left = size = int(header[2])
        if limit is not None and size > limit:
            while left > 0 and (piece := answer.read(min(left, 1 << 20))):
                left -= len(piece)
            content = None
        else:
            content = answer.read(size)
        answer.read(1)
        if header[1].decode() != kind:
            raise Missing(sha)
        return size, content

    def tree(self, sha: str) -> dict[str, _Entry]:
        found = self._trees.get(sha)
        if found is None:
            content = self.read(sha, "tree")[1] or b""
            found, at, size = {}, 0, len(sha) // 2
            while at < len(content):
                end = content.index(b"\0", at)
                mode, _, name = content[at:end].partition(b" ")
                at = end + 1 + size
                found[os.fsdecode(name)] = _Entry(mode.decode(), content[end + 1 : at].hex())
            self._trees[sha] = found
        return found

    def changes(self, old: str, new: str) -> Iterator[tuple[str, _Entry | None, _Entry | None]]:
        """(path, entry before, entry after) of the files that differ; equal directories are never opened."""
        yield from self._changes(old, new, "")

    def _changes(
        self, old: str | None, new: str | None, prefix: str
    ) -> Iterator[tuple[str, _Entry | None, _Entry | None]]:
        before = self.tree(old) if old is not None else {}
        after = self.tree(new) if new is not None else {}
        for name in sorted(before.keys() | after.keys()):
            first, second = before.get(name), after.get(name)
            if first == second:
                continue
            trees = [e.sha if e is not None and e.mode == _DIRECTORY else None for e in (first, second)]
            files = [None if e is not None and e.mode == _DIRECTORY else e for e in (first, second)]
            if any(files):
                yield prefix + name, files[0], files[1]
            if any(trees):
                yield from self._changes(trees[0], trees[1], f"{prefix}{name}/")


def tree_changes(path: Path, trees: Sequence[str], room: int = PAGE_CHARACTERS) -> list[TreeChange | None]:
    """For each tree what it changed against the one before it; None for the first.

    Args:
        path: the ``store.git`` of a run.
        room: about how many characters of diffs to show altogether.
    """
    try:
        with TreeStore(path) as store:
            found: list[TreeChange | None] = [None] * min(1, len(trees))
            for old, new in pairwise(trees):
                change = _change(store, old, new, room)
                room -= sum(len(run.text) for file in change.files if file.diff is not None for run in file.diff.runs)
                found.append(change)
            return found
    except OSError as error:
        why = "git is not installed" if error.filename == "git" else "store.git is missing"
        return [None if n == 0 else TreeChange([], 0, 0, 0, why) for n in range(len(trees))]


def _change(store: TreeStore, old: str, new: str, room: int) -> TreeChange:
    try:
        listed = list(store.changes(old, new))
    except Missing:
        return TreeChange([], 0, 0, 0, "store.git does not contain this state or the one before it")
    except (ValueError, RecursionError):
        return TreeChange([], 0, 0, 0, "store.git is damaged here")
    pairs = _renames(listed)
    change = TreeChange([], max(0, len(pairs) - FILES_SHOWN), 0, 0)
    for path, new_path, before, after in pairs[:FILES_SHOWN]:
        view = _file(store, path, new_path, before, after, min(room, FILE_CHARACTERS))
        if view.diff is not None:
            room -= sum(len(run.text) for run in view.diff.runs)
            change.added += view.diff.added
            change.removed += view.diff.removed
        change.files.append(view)
    return change


def _renames(
    listed: Sequence[tuple[str, _Entry | None, _Entry | None]],
) -> list[tuple[str, str | None, _Entry | None, _Entry | None]]:
    """A deleted and a new file with the same content are one renamed file."""
    gone = {before.sha: path for path, before, after in listed if before is not None and after is None}
    taken: dict[str, str] = {}
    for path, before, after in listed:
        if before is None and after is not None and after.sha in gone:
            taken[gone.pop(after.sha)] = path
    targets = set(taken.values())
    return [(path, taken.get(path), before, after) for path, before, after in listed if path not in targets]


def _file(
    store: TreeStore, path: str, new_path: str | None, before: _Entry | None, after: _Entry | None, room: int
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
        try:
            size, content = (0, None) if entry is None else store.read(entry.sha, "blob", _BLOB_BYTES)
        except Missing:
            return FileView(title, operation, "not a file in the store", None)
        if entry is not None and content is None:
            return FileView(title, operation, f"{size:,} bytes: too large to show", None)
        if content is not None and b"\0" in content[:8_000]:
            return FileView(title, operation, f"not text, {size:,} bytes", None)
        texts.append(None if content is None else content.decode("utf-8", "replace"))
    # Counted from both texts, or from the one that there is.
    shown = diff(FileChange(path, before=texts[0], after=texts[1]), room)
    return FileView(title, operation, "" if shown.runs else "empty", shown if shown.runs else None)


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # opened with a pipe
    return stream
