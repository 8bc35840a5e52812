"""Directory trees that programs wrote. Nothing here follows a link, and no tree is too deep."""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def give(directory: Path, owner: int) -> None:
    """Make ``owner`` the owner of a directory and of everything in it, links themselves included."""
    os.chown(directory, owner, owner, follow_symlinks=False)
    for _, directories, files, fd in os.fwalk(directory, follow_symlinks=False):
        for name in (*directories, *files):
            os.chown(name, owner, owner, dir_fd=fd, follow_symlinks=False)


def enter(name: str, parent: int | None, *, unlock: bool) -> int:
    """Open a directory. ``unlock``: also one that its owner has locked; only where no program is running."""
    try:
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except PermissionError:
        if not unlock:
            raise
    os.chmod(name, 0o700, dir_fd=parent)
    return os.open(name, _DIRECTORY, dir_fd=parent)


def clear(directory: str) -> None:
    """Empty a directory, whatever is in it, and reset its mode and times.

    Needs three descriptors however deep the tree: the content of a subdirectory is moved up before it is removed.
    """
    os.chmod(directory, 0o700)  # who may not look into it may not open it either
    top = os.open(directory, _DIRECTORY)
    try:
        empty(top)
        os.utime(top, ns=(0, 0))  # a program could set times to leave the next one a message
    finally:
        os.close(top)


def remove(directory: str | Path) -> None:
    """Remove a directory with everything in it, where possible. No program may change the tree meanwhile."""
    with contextlib.suppress(OSError):
        clear(os.fspath(directory))
        os.rmdir(directory)


def empty(top: int) -> None:
    """Remove everything in an open directory."""
    number = 0
    while names := os.listdir(top):
        for name in names:
            try:
                os.unlink(name, dir_fd=top)
            except (IsADirectoryError, PermissionError):
                with contextlib.suppress(OSError):
                    # Its owner may have locked it. This follows links, unlike os.open, but only directories get here,
                    # and no program is left to exchange them.
                    os.chmod(name, 0o700, dir_fd=top)
                inner = os.open(name, _DIRECTORY, dir_fd=top)
                try:
                    for entry in os.listdir(inner):
                        try:
                            os.unlink(entry, dir_fd=inner)
                        except (IsADirectoryError, PermissionError):
                            number += 1
                            os.chmod(entry, 0o700, dir_fd=inner)
                            _move_up(inner, entry, top, number)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=top)


def _move_up(directory: int, entry: str, top: int, number: int) -> None:
    """Under a name that is free there."""
    for attempt in itertools.count():
        name = f".{number}.{attempt}"
        try:
            os.lstat(name, dir_fd=top)
        except FileNotFoundError:
            os.rename(entry, name, src_dir_fd=directory, dst_dir_fd=top)
            return
