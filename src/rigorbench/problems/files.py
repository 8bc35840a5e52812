"""The files of a package: what counts, where links may lead, and the digest over all of it."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from .model import PackageError

# The format's rule for names; files of other names are as if they were not there.
NAME: Final = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
# Parts whose contents are somebody's repository: a .gitignore in there is meant.
_REPOSITORIES: Final = frozenset({"attachments", "submissions"})
_NEVER: Final = frozenset({".git", "__pycache__", ".DS_Store"})
# What scripted agents do with the problem; nothing of it is judged by.
_POLICIES: Final = "policies"
_MOST: Final = 200_000


def visible(inside: PurePosixPath) -> bool:
    """Whether a path relative to the package is a part of it."""
    if not _NEVER.isdisjoint(inside.parts) or inside.suffix == ".pyc" or inside.parts[0] == _POLICIES:
        return False
    if inside.parts[0] in _REPOSITORIES:
        return True
    return all(NAME.fullmatch(part) for part in inside.parts)


def walk(root: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """All files that are part of the package, in order: (path inside, path on the host).

    Raises:
        PackageError: a link leads outside, a file is neither a file nor a directory, or cannot be read.
    """
    top = root.resolve()
    count = 0
    pending = [PurePosixPath()]
    while pending:
        place = pending.pop()
        try:
            entries = sorted(os.scandir(root / place), key=lambda entry: entry.name)
        except OSError as error:
            raise PackageError(f"{root / place}: {error.strerror or error}") from None
        directories = []
        for entry in entries:
            inside = place / entry.name
            if not visible(inside):
                continue
            count += 1
            if count > _MOST:
                raise PackageError(f"{root}: more than {_MOST} files; is this a package?")
            path = root / inside
            if entry.is_symlink():
                _check_link(top, path)
            mode = path.stat().st_mode
            if stat.S_ISDIR(mode):
                if entry.is_symlink():
                    _check_loop(path)
                directories.append(inside)
            elif stat.S_ISREG(mode):
                yield inside, path
            else:
                raise PackageError(f"{path}: neither a file nor a directory; remove it")
        pending.extend(reversed(directories))


def digest(root: Path) -> str:
    """SHA-256 over names, whether executable, and contents of all files. Raises: PackageError, see `walk`."""
    total = hashlib.sha256(b"rigor-package/1\n")
    for inside, path in sorted(walk(root)):
        try:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
                executable = bool(os.fstat(file.fileno()).st_mode & 0o100)
        except OSError as error:
            raise PackageError(f"{path}: {error.strerror or error}") from None
        total.update(os.fsencode(f"{inside}\0{'x' if executable else '-'}\0{content}\n"))
    return total.hexdigest()


def within(root: Path, name: str, key: str) -> Path:
    """The path of a file or directory that a package's file names, checked to lie inside.

    ``key``: where it was named, for the message. Raises: PackageError.
    """
    inside = PurePosixPath(name)
    if inside.is_absolute() or ".." in inside.parts or not inside.parts or "\0" in name:
        raise PackageError(f"{key}: {name!r} leads outside the package; name a path inside it")
    path = root.joinpath(*inside.parts)
    if not path.exists():
        raise PackageError(f"{key}: {path}: no such file")
    if not path.resolve().is_relative_to(root.resolve()):
        raise PackageError(f"{key}: {path} is a link that leads outside the package")
    return path


def _check_link(top: Path, path: Path) -> None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise PackageError(f"{path}: a link to nothing; remove it") from None
    if not target.is_relative_to(top):
        raise PackageError(f"{path}: a link that leads outside the package; put a copy in its place")


def _check_loop(path: Path) -> None:
    """A directory that is a link to one above itself would be walked for ever."""
    if path.parent.resolve().is_relative_to(path.resolve()):
        raise PackageError(f"{path}: a link to a directory that holds it; remove it")
