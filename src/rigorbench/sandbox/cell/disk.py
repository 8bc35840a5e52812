"""Files that the programs of a cell wrote: counting them, and putting others beside them. Nothing follows a link."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from msgspec import Struct

from ..kit.proc import size
from ..kit.trees import empty, enter

_MEMORY = {"tmpfs", "ramfs"}
_DEEPEST = 100  # levels of directories


class DiskUsage(Struct, frozen=True):
    """What is below a directory."""

    bytes: int = 0
    """The sizes of all files."""
    files: int = 0
    """Entries of all kinds."""
    incomplete: bool = False
    """Counting stopped because there is too much."""

    def __add__(self, other: DiskUsage) -> DiskUsage:
        return DiskUsage(self.bytes + other.bytes, self.files + other.files, self.incomplete or other.incomplete)


def count(directory: str, most: int, *, unlock: bool = False) -> DiskUsage:
    """What is below a directory, by the sizes of the files (the same on every file system). Holes count: they may be
    filled later. Stops after ``most`` entries; a tree of more than a hundred levels counts as too much.

    It goes from directory to directory by descriptors: a program that works there cannot lead it elsewhere.
    ``unlock``: no program does, so open directories that their owner has locked.
    """
    total = files = 0
    open_: list[tuple[int, list[str]]] = []  # from the top down: a directory, those in it that are still to be entered
    try:
        with contextlib.suppress(OSError):
            open_.append((enter(directory, None, unlock=unlock), []))
            total, files = _scan(*open_[-1], most)
        while open_ and files <= most:
            here, below = open_[-1]
            if not below:
                os.close(here)
                open_.pop()
                continue
            if len(open_) > _DEEPEST:
                return DiskUsage(total, files, True)
            try:
                open_.append((enter(below.pop(), here, unlock=unlock), []))
            except OSError:
                continue
            more, entries = _scan(*open_[-1], most - files)
            total, files = total + more, files + entries
    finally:
        for here, _ in open_:
            os.close(here)
    return DiskUsage(total, files, files > most)


def _scan(directory: int, below: list[str], most: int) -> tuple[int, int]:
    """(bytes, entries) of one directory, at most ``most`` + 1 entries; its subdirectories are added to ``below``."""
    total = files = 0
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            files += 1
            if files > most:
                break
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
                else:
                    total += size(entry.stat(follow_symlinks=False))
    return total, files


def put(files: str, directory: str) -> None:
    """Copy the files of a package's directory to where programs have written, replacing what has the same names.

    For an idle cell. Programs made what is there: it is never written to, and no link is followed.
    """
    here = enter(directory, None, unlock=True)
    try:
        _put(files, here)
    finally:
        os.close(here)


def _put(files: str, here: int) -> None:
    with os.scandir(files) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                # A directory of that name, opened; anything else of that name is removed.
                try:
                    if not stat.S_ISDIR(os.lstat(entry.name, dir_fd=here).st_mode):
                        os.unlink(entry.name, dir_fd=here)
                        os.mkdir(entry.name, dir_fd=here)
                except FileNotFoundError:
                    os.mkdir(entry.name, dir_fd=here)
                below = enter(entry.name, here, unlock=True)
                try:
                    os.fchmod(below, 0o777)
                    _put(entry.path, below)
                finally:
                    os.close(below)
            elif entry.is_file():
                with contextlib.suppress(FileNotFoundError):
                    if stat.S_ISDIR(os.lstat(entry.name, dir_fd=here).st_mode):
                        inner = enter(entry.name, here, unlock=True)
                        try:
                            empty(inner)
                        finally:
                            os.close(inner)
                        os.rmdir(entry.name, dir_fd=here)
                    else:
                        os.unlink(entry.name, dir_fd=here)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                with open(entry.path, "rb") as source, open(os.open(entry.name, flags, dir_fd=here), "wb") as target:
                    shutil.copyfileobj(source, target)
                    os.fchmod(target.fileno(), 0o777 if entry.stat().st_mode & stat.S_IXUSR else 0o666)


def scratch() -> str:
    """A directory for files that programs write: on a real disk if possible, as files in memory would count as memory
    of the program that writes them."""
    for directory in (tempfile.gettempdir(), "/var/tmp"):
        best, kind = "", None
        with contextlib.suppress(OSError):
            here = os.path.realpath(directory)
            for line in Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines():
                _, point, found, *_ = line.split(" ")
                inside = here == point or here.startswith(point.rstrip("/") + "/")
                if inside and len(point) >= len(best):
                    best, kind = point, found
        if os.path.isdir(directory) and os.access(directory, os.W_OK) and kind not in _MEMORY:
            return directory
    return tempfile.gettempdir()
