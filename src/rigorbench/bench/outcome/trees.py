"""Reads and writes the files of a git tree unchanged: attributes, filters and hooks of the repository do not apply."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from ...session.readers.capture.store import MissingObject, TreeEntry, TreeReader


class TreeError(Exception):
    """A tree cannot be read. One line."""


def read_tree(store: Path, tree: str) -> dict[str, TreeEntry]:
    """The files of a tree by path; submodules are left out.

    Raises:
        TreeError: the store does not contain it.
    """
    with TreeReader(store) as objects:
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
        for end in range(1, len(parts)) if "/".join(parts[:-1]) not in made else ():
            folder = f"{directory}/{'/'.join(parts[:end])}"
            if os.path.islink(folder) or os.path.isfile(folder):
                os.unlink(folder)
            os.makedirs(folder, exist_ok=True)
            made.add("/".join(parts[:end]))
        target = f"{directory}/{path}"
        if os.path.isdir(target) and not os.path.islink(target):
            shutil.rmtree(target)
        elif os.path.lexists(target):
            os.unlink(target)
        if files[path].mode == "120000":
            os.symlink(content, os.fsencode(target))
            continue
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb", buffering=0) as file:
            os.fchmod(file.fileno(), 0o755 if files[path].mode == "100755" else 0o644)
            file.write(content)


def read_file(store: Path, entry: TreeEntry) -> bytes:
    """Raises: TreeError when the store does not contain it."""
    return next(_contents(store, {entry.sha: entry}))[1]


def _contents(store: Path, files: dict[str, TreeEntry]) -> Iterator[tuple[str, bytes]]:
    with TreeReader(store) as objects:
        for path, entry in files.items():
            try:
                content = objects.read(entry.sha)[1]
            except MissingObject as error:
                raise TreeError(f"{store}: the content {error} is missing") from None
            yield path, content
