"""What the programs of a cell write: counting it, and clearing it away. Nothing here follows a link."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ..trees import empty, enter

_MEMORY = {"tmpfs", "ramfs"}
_DEEPEST = 100  # levels of directories
_RESERVED = 64 << 10  # allocated beyond a file's end: more than a file system rounds up by


class Held(Struct, frozen=True):
    """``files``: entries of all kinds below, ``over``: counting stopped as there are more than asked for."""

    bytes: int = 0
    files: int = 0
    over: bool = False

    def __add__(self, other: Held) -> Held:
        return Held(self.bytes + other.bytes, self.files + other.files, self.over or other.over)


def count(directory: str, most: int, *, unlock: bool = False) -> Held:
    """What is below a directory, by the sizes of the files (the same on every file system). Holes count: nothing says
    that they stay holes. Stops after ``most`` entries; a tree of more than a hundred levels counts as more than that.

    It goes from directory to directory by descriptors: whoever is at work there cannot lead it elsewhere.
    ``unlock``: nobody is, so open directories that their owner has locked.
    """
    held = files = 0
    open_: list[tuple[int, list[str]]] = []  # from the top down: a directory, those in it that are still to be entered
    try:
        with contextlib.suppress(OSError):
            open_.append((enter(directory, None, unlock=unlock), []))
            held, files = _scan(*open_[-1], most)
        while open_ and files <= most:
            here, below = open_[-1]
            if not below:
                os.close(here)
                open_.pop()
                continue
            if len(open_) > _DEEPEST:
                return Held(held, files, True)
            try:
                open_.append((enter(below.pop(), here, unlock=unlock), []))
            except OSError:
                continue
            more, entries = _scan(*open_[-1], most - files)
            held, files = held + more, files + entries
    finally:
        for here, _ in open_:
            os.close(here)
    return Held(held, files, files > most)


def _scan(directory: int, below: list[str], most: int) -> tuple[int, int]:
    """(bytes, entries) of one directory, of one entry more than ``most`` at most; its own go to ``below``."""
    held = files = 0
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            files += 1
            if files > most:
                break
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
                else:
                    held += size(entry.stat(follow_symlinks=False))
    return held, files


def size(status: os.stat_result) -> int:
    allocated = status.st_blocks * 512
    return max(status.st_size, allocated) if allocated > status.st_size + _RESERVED else status.st_size


def deleted(pids: list[int], devices: set[int] | None) -> int:
    """Bytes in files that have no name any more but are open in, or mapped into, one of the processes; ``devices``
    None: wherever they lie, those in memory too."""
    seen: dict[tuple[int, int], int] = {}
    for pid in pids:
        for device, inode, held in (*_open(pid), *_mapped(pid)):
            if devices is None or device in devices:
                seen[device, inode] = max(held, seen.get((device, inode), 0))
    return sum(seen.values())


def _open(pid: int) -> Iterator[tuple[int, int, int]]:
    """(device, inode, size) of what has no name."""
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                status = os.stat(f"/proc/{pid}/fd/{name}")
                if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                    yield status.st_dev, status.st_ino, size(status)


def _mapped(pid: int) -> Iterator[tuple[int, int, int]]:
    """The same of what is mapped; all that is known of its size is how far it is mapped."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/maps", "rb") as lines:
        for line in lines:
            if line.endswith(b" (deleted)\n"):
                place, _, offset, device, inode = line.split(None, 5)[:5]
                first, last = (int(number, 16) for number in place.split(b"-"))
                major, minor = (int(number, 16) for number in device.split(b":"))
                yield os.makedev(major, minor), int(inode), int(offset, 16) + last - first


def put(files: str, directory: str) -> None:
    """Copy the files of a package's directory to where programs have been, over what lies in the way.

    For an idle cell. What is there was made by programs: it is never written through, and no link is followed.
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
                below = _made(entry.name, here)
                try:
                    os.fchmod(below, 0o777)
                    _put(entry.path, below)
                finally:
                    os.close(below)
            elif entry.is_file():
                _remove(entry.name, here)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                with open(entry.path, "rb") as source, open(os.open(entry.name, flags, dir_fd=here), "wb") as target:
                    shutil.copyfileobj(source, target)
                    os.fchmod(target.fileno(), 0o777 if entry.stat().st_mode & stat.S_IXUSR else 0o666)


def _made(name: str, here: int) -> int:
    """A directory of that name, opened; what else has the name has to go."""
    try:
        if not stat.S_ISDIR(os.lstat(name, dir_fd=here).st_mode):
            os.unlink(name, dir_fd=here)
            os.mkdir(name, dir_fd=here)
    except FileNotFoundError:
        os.mkdir(name, dir_fd=here)
    return enter(name, here, unlock=True)


def _remove(name: str, here: int) -> None:
    try:
        if stat.S_ISDIR(os.lstat(name, dir_fd=here).st_mode):
            place = enter(name, here, unlock=True)
            try:
                empty(place)
            finally:
                os.close(place)
            os.rmdir(name, dir_fd=here)
        else:
            os.unlink(name, dir_fd=here)
    except FileNotFoundError:
        pass


def scratch() -> str:
    """A place for files that programs write: a real disk where there is one, as files in memory would be charged to
    the memory of whoever writes them."""
    for place in (tempfile.gettempdir(), "/var/tmp"):
        if os.path.isdir(place) and os.access(place, os.W_OK) and _kind(place) not in _MEMORY:
            return place
    return tempfile.gettempdir()


def _kind(place: str) -> str | None:
    best, kind = "", None
    with contextlib.suppress(OSError):
        here = os.path.realpath(place)
        for line in Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines():
            _, point, found, *_ = line.split(" ")
            inside = here == point or here.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, found
    return kind
