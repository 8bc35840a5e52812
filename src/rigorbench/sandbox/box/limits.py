"""How each limit of a box is enforced here, and the watch over those that the kernel does not enforce."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import stat
import time
from pathlib import Path

from msgspec import Struct

from ..kit import hardening
from ..kit.proc import deleted
from . import groups, layout, processes, runner
from .spec import BoxSpec

_FEW_BYTES = 64 << 20
_REST = 40  # a walk through the files may take at most one part in so many of the time
_OFTEN, _SELDOM = 0.5, 10.0  # seconds


class Exceeded(Struct, frozen=True):
    """A limit that was exceeded."""

    kind: str
    """Of "memory", "disk" or "recording"."""
    limit: float
    """In bytes."""
    used: float
    """In bytes."""
    ends: str | None = None
    """Why the sandbox must end for it; None: it may go on."""


class Enforcement:
    """The limits of one box."""

    def __init__(self, spec: BoxSpec, group: groups.BoxGroups) -> None:
        limits = spec.limits
        self._spec = spec
        self._groups = group
        self.proc: int | None = None
        """To be set to the sandbox's ``/proc``."""
        self.in_force = group.limit(limits)
        """{limit: how it is enforced}, of the limits that the specification sets."""
        self.cpus: list[int] | None = None
        """The only processors that a command may use; None: all."""
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
                start = os.getpid() % len(here)  # spreads several sandboxes over the processors
                self.cpus = [*here[start:], *here[:start]][:whole]
            self.in_force["cpus"] = f"affinity to {min(whole, len(here))} of {len(here)} CPUs"
        self.resource_limits = runner.resource_limits(limits, processes=by_processes, memory=by_memory)
        """The resource limits of each command."""
        self.filter = hardening.program(fixed_cpus=True) if self.cpus is not None else hardening.program()
        """The filter of system calls for each command."""
        self._disk = Disk(spec, limits.disk) if limits.disk is not None else None
        if self._disk is not None:
            self.in_force["disk"] = "files are counted while a program runs; each file by rlimit"
        self._recording = limits.recording if spec.capture is not None else None
        if self._recording is not None:
            self.in_force["recording"] = "counted as it is written"
        self._killed_for_memory = 0

    def begin(self) -> None:
        """A command is about to start."""
        if self._disk is not None:
            self._disk.begin()

    def look(self, recorded: int) -> list[Exceeded]:
        """The limits that were exceeded since the last look. ``recorded``: bytes of the recording."""
        found: list[Exceeded] = []
        limit = self._spec.limits.memory
        killed = self._groups.killed_for_memory()
        if killed is not None and killed > self._killed_for_memory and limit is not None:
            self._killed_for_memory = killed
            found.append(Exceeded("memory", limit, limit))
        if self.proc is None:
            return found
        if self._count_memory is not None:
            # Kill the largest until the others fit. What forks share counts once, which is looked up only when the sum
            # of all resident sizes is too large.
            listed = list(processes.listing(self.proc).values())
            if sum(p.memory for p in listed) <= self._count_memory:
                used = None
            else:
                shares = [(processes.share_of_memory(self.proc, p), p) for p in listed]
                held = left = sum(share for share, _ in shares)
                for share, process in sorted(shares, key=lambda pair: -pair[0]):
                    if left <= self._count_memory:
                        break
                    if process.pid != 1 and process.parent != 0:
                        processes.send(self.proc, process, signal.SIGKILL)
                        left -= share
                used = held if held > self._count_memory else None
            if used is not None:
                found.append(Exceeded("memory", self._count_memory, used))
        if self._disk is not None:
            used = self._disk.look(self.proc)
            if used is not None:
                reason = f"the sandbox wrote {_size(used)}, its limit is {_size(self._disk.limit)}"
                found.append(Exceeded("disk", self._disk.limit, used, reason))
        if self._recording is not None and recorded > self._recording:
            reason = f"recording what the sandbox did took {_size(recorded)}, the limit is {_size(self._recording)}"
            found.append(Exceeded("recording", self._recording, recorded, reason))
        return found


def _size(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB" if count >= 1 << 30 else f"{count / (1 << 20):.1f} MiB"


class Disk:
    """Counts how much the writable directories have grown.

    It walks through all files when the file system has lost space, else seldom, and never so often that this takes more
    than a fortieth of the time. Files without a name count as long as they are open.
    """

    def __init__(self, spec: BoxSpec, limit: int) -> None:
        self.limit = limit
        self._directories = [Path(mount.source) for mount in layout.writable_mounts(spec)]
        self._devices = {directory.stat().st_dev for directory in self._directories}
        self._first: int | None = None
        self._free = 0
        self._walked = 0.0
        self._cost = 0.0

    def begin(self) -> None:
        if self._first is None:
            self._first = self._walk()

    def look(self, proc: int) -> int | None:
        """The growth in bytes, when it is more than the limit."""
        if self._first is None:
            return None
        now = time.monotonic()
        rest = now - self._walked
        if rest < max(_OFTEN, _REST * self._cost):
            return None
        if rest < _SELDOM and self._free - self._free_now() < min(_FEW_BYTES, self.limit // 8):
            return None
        pids = [int(name) for name in os.listdir(proc) if name.isdigit()]
        used = self._walk() + deleted(pids, self._devices, f"/proc/self/fd/{proc}") - self._first
        return used if used > self.limit else None

    def _free_now(self) -> int:
        status = os.statvfs(self._directories[0])
        return status.f_bfree * status.f_frsize

    def _walk(self) -> int:
        begun = time.monotonic()
        self._free = self._free_now()
        total = sum(tree_size(directory) for directory in self._directories)
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
            # The path may be longer than the kernel takes at once; no part of it may be a link below.
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            if len(os.fsencode(path)) < 4000:
                file = os.open(path, flags)
            else:
                parts = path.split("/")
                file = os.open(parts[0] or "/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                for start in range(1, len(parts), 12):  # a name has at most 255 bytes
                    deeper = os.open("/".join(parts[start : start + 12]), flags, dir_fd=file)
                    os.close(file)
                    file = deeper
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
