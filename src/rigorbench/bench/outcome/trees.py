"""Reads and writes the files of a git tree unchanged: attributes, filters and hooks of the repository do not apply."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...trajectory.readers.capture.store import MissingObject, TreeEntry, TreeStore


class TreeError(Exception):
    """A tree cannot be read. One line."""


def read_tree(store: Path, tree: str) -> dict[str, TreeEntry]:
    """The files of a tree by path; submodules are left out.

    Raises:
        TreeError: the store does not contain it.
    """
    with TreeStore(store) as objects:
        try:
            return {path: entry for path, entry in objects.files(tree).items() if entry.mode != "160000"}
        except MissingObject as error:
            raise TreeError(f"{store}: the tree {tree} cannot be read: {error} is missing") from None


def write_files(
    store: Path, files: dict[str, TreeEntry], directory: Path, selects: Callable[[str], bool] | None = None
) -> None:
    """Write files of a store into a directory, replacing what is there.

    Raises:
        TreeError: an object is missing, or a path would lead out of the directory.
    """
    made: set[str] = set()
    for path, content in _contents(store, {p: e for p, e in files.items() if selects is None or selects(p)}):
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise TreeError(f"{store}: the path {path!r} leads out of the tree")
        parent = ""
        for part in parts[:-1]:
            parent = os.path.join(parent, part)
            if parent not in made:
                folder = directory / parent
                if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                    folder.unlink()
                folder.mkdir(exist_ok=True)
                made.add(parent)
        target = directory / path
        if target.is_symlink() or target.is_file():
            target.unlink()
        mode = files[path].mode
        if mode == "120000":
            os.symlink(os.fsdecode(content), target)
        else:
            target.write_bytes(content)
            target.chmod(0o755 if mode == "100755" else 0o644)


def read_file(store: Path, entry: TreeEntry) -> bytes:
    """Raises: TreeError when the store does not contain it."""
    return _contents(store, {entry.sha: entry})[0][1]


def _contents(store: Path, files: dict[str, TreeEntry]) -> list[tuple[str, bytes]]:
    with TreeStore(store) as objects:
        try:
            return [(path, objects.read(entry.sha)[1]) for path, entry in files.items()]
        except MissingObject as error:
            raise TreeError(f"{store}: the content {error} is missing") from None
