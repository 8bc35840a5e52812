"""Which limit of a sandbox holds by what means, and the watch over those that the kernel does not hold for us."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import stat
import time
from pathlib import Path

from .. import cgroups, hardening, layout, runner
from ..spec import BoxSpec
from . import processes

_FEW_BYTES = 64 << 20
_REST = 40  # a walk through the files may take at most one part in so many of the time
_OFTEN, _SELDOM = 0.5, 10.0  # seconds


class Keeper:
    """``in_force``: {limit: how it is held}, of those that were asked for. ``filter``, ``resource_limits`` and ``cpus``
    are for each command that starts. ``proc`` is to be set to the sandbox's ``/proc``."""

    def __init__(self, spec: BoxSpec, groups: cgroups.Groups) -> None:
        limits = spec.limits
        self._spec = spec
        self._groups = groups
        self.proc: int | None = None
        self.in_force = groups.limit(limits)
        self.cpus: list[int] | None = None
        by_memory = limits.memory is not None and "memory" not in self.in_force
        by_processes = limits.processes is not None and "processes" not in self.in_force
        self._count_memory = limits.memory if by_memory else None
        if by_memory:
            self.in_force["memory"] = "counted four times a second; data segment of each process by rlimit"
        if by_processes:
            self.in_force["processes"] = "rlimit of the sandbox's user"
        if limits.cpus is not None and "cpus" not in self.in_force:
            here = sorted(os.sched_getaffinity(0))
            whole = max(1, math.ceil(limits.cpus))
            if whole < len(here):
                self.cpus = _rotated(here, os.getpid())[:whole]
            self.in_force["cpus"] = f"affinity to {min(whole, len(here))} of {len(here)} CPUs"
        self.resource_limits = runner.resource_limits(limits, processes=by_processes, memory=by_memory)
        self.filter = hardening.program(fixed_cpus=True) if self.cpus is not None else hardening.program()
        self._disk = Disk(spec, limits.disk) if limits.disk is not None else None
        if self._disk is not None:
            self.in_force["disk"] = "files are counted while something runs; each file by rlimit"
        self._killed_for_memory = 0

    def begin(self) -> None:
        """A command is about to start."""
        if self._disk is not None:
            self._disk.begin()

    def look(self) -> list[tuple[str, float, float, str | None]]:
        """Limits exceeded since the last look: (which, limit, used, why the sandbox must end or None)."""
        found: list[tuple[str, float, float, str | None]] = []
        limits = self._spec.limits
        killed = self._groups.out_of_memory()
        if killed is not None and killed > self._killed_for_memory and limits.memory is not None:
            self._killed_for_memory = killed
            found.append(("memory", limits.memory, limits.memory, None))
        if self._count_memory is not None and self.proc is not None:
            used = self._hold_memory(self._count_memory)
            if used is not None:
                found.append(("memory", self._count_memory, used, None))
        if self._disk is not None and self.proc is not None:
            used = self._disk.look(self.proc)
            if used is not None:
                reason = f"the sandbox wrote {_size(used)}, its limit is {_size(self._disk.limit)}"
                found.append(("disk", self._disk.limit, used, reason))
        return found

    def _hold_memory(self, limit: int) -> int | None:
        """Kill the largest processes until the rest fits; the sum that was found if it did not.

        What forks share counts once: that is looked up only when the sum of all resident sizes is too large.
        """
        assert self.proc is not None
        listed = list(processes.listing(self.proc).values())
        if sum(p.memory for p in listed) <= limit:
            return None
        shares = [(processes.share_of_memory(self.proc, p), p) for p in listed]
        used = left = sum(share for share, _ in shares)
        for share, process in sorted(shares, key=lambda pair: -pair[0]):
            if left <= limit:
                break
            if process.pid != 1 and process.parent != 0:
                processes.send(self.proc, process, signal.SIGKILL)
                left -= share
        return used if used > limit else None


def _rotated(numbers: list[int], by: int) -> list[int]:
    start = by % len(numbers)
    return numbers[start:] + numbers[:start]


def _size(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB" if count >= 1 << 30 else f"{count / (1 << 20):.1f} MiB"


class Disk:
    """Counts what the writable directories hold beyond what was there at first.

    A walk through all files is made when the file system has lost space, else seldom, and never so often that it costs
    more than a fortieth of the time. Files without a name count as long as they are open.
    """

    def __init__(self, spec: BoxSpec, limit: int) -> None:
        self.limit = limit
        self._places = [place.host for place in layout.writable_places(spec)]
        self._first: int | None = None
        self._free = 0
        self._walked = 0.0
        self._cost = 0.0

    def begin(self) -> None:
        if self._first is None:
            self._first = self._walk()

    def look(self, proc: int) -> int | None:
        """How much there is, when it is more than the limit."""
        if self._first is None:
            return None
        now = time.monotonic()
        rest = now - self._walked
        if rest < max(_OFTEN, _REST * self._cost):
            return None
        if rest < _SELDOM and self._free - self._free_now() < min(_FEW_BYTES, self.limit // 8):
            return None
        used = self._walk() + processes.deleted_files(proc) - self._first
        return used if used > self.limit else None

    def _free_now(self) -> int:
        status = os.statvfs(self._places[0])
        return status.f_bfree * status.f_frsize

    def _walk(self) -> int:
        begun = time.monotonic()
        self._free = self._free_now()
        total = sum(tree_size(place) for place in self._places)
        self._walked = time.monotonic()
        self._cost = self._walked - begun
        return total


def tree_size(directory: Path) -> int:
    """Bytes on disk below a directory, each file once however many names it has. Links are not followed."""
    total = 0
    seen: set[tuple[int, int]] = set()
    waiting = [os.fspath(directory)]
    while waiting:
        path = waiting.pop()
        try:
            file = open_deep(path)
        except OSError:
            continue  # gone meanwhile
        try:
            with os.scandir(file) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        status = entry.stat(follow_symlinks=False)
                        if stat.S_ISDIR(status.st_mode):
                            waiting.append(f"{path}/{entry.name}")
                        elif status.st_nlink > 1:
                            key = (status.st_dev, status.st_ino)
                            if key in seen:
                                continue
                            seen.add(key)
                        total += status.st_blocks * 512
        except OSError:
            continue
        finally:
            os.close(file)
    return total


def open_deep(path: str) -> int:
    """Open a directory whose path may be longer than the kernel takes at once; no part of it may be a link below."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    if len(os.fsencode(path)) < 4000:
        return os.open(path, flags)
    parts = path.split("/")
    file = os.open(parts[0] or "/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for start in range(1, len(parts), 12):  # a name has at most 255 bytes
        deeper = os.open("/".join(parts[start : start + 12]), flags, dir_fd=file)
        os.close(file)
        file = deeper
    return file
