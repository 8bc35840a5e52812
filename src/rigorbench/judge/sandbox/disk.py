"""What the programs of a cell write: counting it, and clearing it away. Nothing here follows a link."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from msgspec import Struct

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MEMORY = {"tmpfs", "ramfs"}
_RESERVED = 64 << 10  # allocated beyond a file's end: more than a file system rounds up by


class Held(Struct, frozen=True):
    """``files``: entries of all kinds below, ``over``: counting stopped as there are more than asked for."""

    bytes: int = 0
    files: int = 0
    over: bool = False

    def __add__(self, other: Held) -> Held:
        return Held(self.bytes + other.bytes, self.files + other.files, self.over or other.over)


def count(directory: str, most: int) -> Held:
    """What is below a directory, by the sizes of the files (the same on every file system). Holes count: nothing says
    that they stay holes. Stops after ``most`` entries; a tree too deep to be named counts as more than that."""
    held = files = 0
    waiting = [directory]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    files += 1
                    if files > most:
                        return Held(held, files, True)
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
                        else:
                            held += size(entry.stat(follow_symlinks=False))
                    except OSError:
                        continue
        except OSError as error:
            if len(place) > 4000 and error.filename == place and not isinstance(error, FileNotFoundError):
                return Held(held, files, True)
    return Held(held, files)


def size(status: os.stat_result) -> int:
    allocated = status.st_blocks * 512
    return max(status.st_size, allocated) if allocated > status.st_size + _RESERVED else status.st_size


def deleted(pids: list[int], devices: set[int] | None) -> int:
    """Bytes in files that have no name any more but are open in, or mapped into, one of the processes; ``devices``
    None: wherever they lie, those in memory too."""
    seen: dict[tuple[int, int], int] = {}
    for pid in pids:
        for place in ("fd", "map_files"):
            try:
                names = os.listdir(f"/proc/{pid}/{place}")
            except OSError:
                continue
            for name in names:
                with contextlib.suppress(OSError):
                    status = os.stat(f"/proc/{pid}/{place}/{name}")
                    here = devices is None or status.st_dev in devices
                    if here and status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                        seen[status.st_dev, status.st_ino] = size(status)
    return sum(seen.values())


def clear(directory: str) -> None:
    """Empty a directory, whatever is in it, and give it its mode back. Needs three descriptors however deep the tree:
    what lies in a subdirectory is moved up before that is removed."""
    top = os.open(directory, _DIRECTORY)
    try:
        os.fchmod(top, 0o700)
        if not (names := os.listdir(top)):
            return
        number = 0
        while names:
            for name in names:
                try:
                    os.unlink(name, dir_fd=top)
                except (IsADirectoryError, PermissionError):
                    number = _flatten(top, name, number)
            names = os.listdir(top)
    finally:
        os.close(top)


def _flatten(top: int, name: str, number: int) -> int:
    with contextlib.suppress(OSError):
        os.chmod(name, 0o700, dir_fd=top)  # its owner may have locked it; unlike os.open this follows links, but
    place = os.open(name, _DIRECTORY, dir_fd=top)  # only directories get here, and nobody is left to exchange them
    try:
        for entry in os.listdir(place):
            try:
                os.unlink(entry, dir_fd=place)
            except (IsADirectoryError, PermissionError):
                number += 1
                os.chmod(entry, 0o700, dir_fd=place)
                _move_up(place, entry, top, number)
    finally:
        os.close(place)
    os.rmdir(name, dir_fd=top)
    return number


def _move_up(place: int, entry: str, top: int, number: int) -> None:
    for attempt in range(1000):
        with contextlib.suppress(FileExistsError, OSError):
            os.rename(entry, f".{number}.{attempt}", src_dir_fd=place, dst_dir_fd=top)
            return
    os.rename(entry, f".{number}", src_dir_fd=place, dst_dir_fd=top)


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
