"""What the host's ``/proc`` says about processes. A process that is gone gives an empty answer, never an error."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_RESERVED = 64 << 10  # allocated beyond a file's end: more than a file system rounds up by


def number(path: Path, key: str, *, base: int = 10) -> int | None:
    """The number after ``key`` in a file of lines such as "VmHWM:  100 kB" or "oom_kill 3"; None: there is none."""
    with suppress(OSError, ValueError):
        for line in path.read_text(encoding="ascii", errors="replace").splitlines():
            words = line.split(None, 2)
            if len(words) > 1 and words[0].rstrip(":") == key:
                return int(words[1], base)
    return None


def children(pid: int) -> list[int]:
    """The processes that a process (any of its threads) has started."""
    found: list[int] = []
    with suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="ascii").split())
    return found


def descendants(pid: int) -> list[int]:
    """All processes below one, nearest first. Orphans are not among them: they have another parent now."""
    found: list[int] = []
    for parent in itertools.chain([pid], found):  # which grows
        found += children(parent)
    return found


def size(status: os.stat_result) -> int:
    """The size of a file; what is allocated beyond its end counts."""
    allocated = status.st_blocks * 512
    return max(status.st_size, allocated) if allocated > status.st_size + _RESERVED else status.st_size


def deleted(pids: Iterable[int], devices: set[int] | None, proc: str = "/proc") -> int:
    """Bytes in deleted files that are still open in, or mapped into, one of the processes.

    Args:
        devices: Of the files that count; None: any, files in memory included.
        proc: Where the processes have these numbers.
    """
    seen: dict[tuple[int, int], int] = {}
    for pid in pids:
        for device, inode, bytes_ in (*_open(f"{proc}/{pid}/fd"), *_mapped(f"{proc}/{pid}/maps")):
            if devices is None or device in devices:
                seen[device, inode] = max(bytes_, seen.get((device, inode), 0))
    return sum(seen.values())


def _open(directory: str) -> Iterator[tuple[int, int, int]]:
    """(device, inode, size) of deleted files that are open."""
    with suppress(OSError):
        for name in os.listdir(directory):
            with suppress(OSError):
                status = os.stat(f"{directory}/{name}")
                if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                    yield status.st_dev, status.st_ino, size(status)


def _mapped(maps: str) -> Iterator[tuple[int, int, int]]:
    """The same of those that are mapped; of their size only the mapped part is known."""
    with suppress(OSError, ValueError), open(maps, "rb") as lines:
        for line in lines:
            if line.endswith(b" (deleted)\n"):
                addresses, _, offset, device, inode = line.split(None, 5)[:5]
                first, last = (int(number, 16) for number in addresses.split(b"-"))
                major, minor = (int(number, 16) for number in device.split(b":"))
                yield os.makedev(major, minor), int(inode), int(offset, 16) + last - first
