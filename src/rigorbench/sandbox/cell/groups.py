"""A control group for each run: its limits, and what all its processes together used. Version 1, 2, or a mixture.

A new group for every run costs a fifth of a millisecond and starts every count at zero. Version 1 could reset some of
its counts, but not what earlier runs left in the page cache, and version 2 resets its peak only since Linux 6.12.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from ..kit import cgroups, proc
from ..kit.cgroups import Hierarchy
from . import owners

PREFIX = "rigor-judge-"
_LEAF = "rigor-judges"
_VERSION1 = ("memory", "cpuacct", "pids")
_KILLING = 5.0  # seconds; then process 1 of the cell is left to end what remains
_FILE_CACHE = 1 << 20  # bytes of files in memory; fewer make no difference worth looking into


class Controls(Struct, frozen=True):
    """Where groups are made. ``cpu`` may be a version 2 hierarchy without controllers: every group counts CPU time."""

    memory: Hierarchy
    cpu: Hierarchy
    pids: Hierarchy

    @property
    def label(self) -> str:
        """Such as "cgroup v2"."""
        versions = sorted({self.memory.version, self.cpu.version, self.pids.version})
        return "cgroup v" + "+v".join(map(str, versions))


class Controlless(Struct, frozen=True):
    """No control groups can be used here, and why."""

    why: str


_lock = threading.Lock()
_found: tuple[int, Controls | Controlless] | None = None


def controls() -> Controls | Controlless:
    """The control groups that this process can use; looked up once."""
    global _found
    with _lock:
        if _found is None or _found[0] != os.getpid():
            _found = (os.getpid(), find())
        return _found[1]


def find(found: Mapping[str, Hierarchy] | None = None) -> Controls | Controlless:
    """Look for hierarchies that this process may make groups in and move processes to."""
    found = cgroups.here(_VERSION1) if found is None else found
    second = _delegated(found[""].directory, ("memory", "pids")) if "" in found else None
    if isinstance(second, Path):
        hierarchy = Hierarchy(second, 2)
        return Controls(hierarchy, hierarchy, hierarchy)
    why = second.why if second else "the kernel offers none here"
    usable: dict[str, Hierarchy] = {}
    for controller in _VERSION1:
        if controller in found:
            problem = _obstacle(found[controller].directory)
            if problem is None:
                usable[controller] = found[controller]
            else:
                why = problem
    if "cpuacct" not in usable and "" in found:
        bare = _delegated(found[""].directory, ())
        if isinstance(bare, Path):
            usable["cpuacct"] = Hierarchy(bare, 2)
    missing = [controller for controller in _VERSION1 if controller not in usable]
    if missing:
        return Controlless(f"{', '.join(missing)}: {why}")
    return Controls(usable["memory"], usable["cpuacct"], usable["pids"])


def _delegated(own: Path, controllers: tuple[str, ...]) -> Path | Controlless:
    """Version 2: the nearest group above us that gives the controllers to those below it, else our own.

    A group that gives controllers away can have no process itself, so in our own all processes move down into a leaf.
    """
    why = f"{own}: no group here gives {' and '.join(controllers) or 'anything'} to those below it"
    for parent, offered in cgroups.delegating(own):
        if set(controllers) <= set(offered):
            problem = _obstacle(parent)
            if problem is None:
                return parent
            why = problem
    if not controllers or not set(controllers) <= set(cgroups.words(own / "cgroup.controllers") or ()):
        return Controlless(why)
    leaf = own / _LEAF
    try:
        leaf.mkdir(exist_ok=True)
        for pid in cgroups.processes(own):
            with contextlib.suppress(ProcessLookupError):
                cgroups.write(leaf / "cgroup.procs", pid)
        cgroups.write(own / "cgroup.subtree_control", " ".join(f"+{c}" for c in controllers))
    except OSError as error:
        return Controlless(f"{own}: {error.strerror}")
    problem = _obstacle(own)
    return own if problem is None else Controlless(problem)


def own_prefix() -> str:
    """Begins the names of this process's groups."""
    return f"{PREFIX}{owners.word()}"


def _obstacle(parent: Path) -> str | None:
    return cgroups.obstacle(parent, f"{own_prefix()}-probe-{threading.get_ident()}")


class RunGroup:
    """The groups of one run. ``files``: a process with one thread that writes "0" to all of them has joined."""

    def __init__(self, where: Controls, memory: int | None, processes: int | None) -> None:
        # Programs may see the name: it must not identify the run.
        name = f"{own_prefix()}-{secrets.token_hex(6)}"
        self._memory, self._cpu, self._pids = (m.directory / name for m in (where.memory, where.cpu, where.pids))
        self._second = where.memory.version == 2
        self.files: list[int] = []
        self._usage = self._current = -1
        self._seen = self._files = self._mapped = 0
        self.directories = list(dict.fromkeys((self._memory, self._cpu, self._pids)))
        try:
            for directory in self.directories:
                directory.mkdir()
            if memory is not None:
                cgroups.limit_memory(self._memory, where.memory.version, memory)
                if self._second:
                    with contextlib.suppress(OSError):
                        cgroups.write(self._memory / "memory.oom.group", 1)
            if processes is not None:
                cgroups.write(self._pids / "pids.max", processes)
            for hierarchy in dict.fromkeys((where.memory, where.cpu, where.pids)):
                # A thread that moves itself need not wait. Before a process moves, the kernel waits for all processors:
                # 10 to 20 ms, if nothing moved just before. In version 2 no thread leaves the group of its process.
                entrance = "cgroup.procs" if hierarchy.version == 2 else "tasks"
                self.files.append(os.open(hierarchy.directory / name / entrance, os.O_WRONLY | os.O_CLOEXEC))
            usage = "cpu.stat" if where.cpu.version == 2 else "cpuacct.usage"
            self._usage = os.open(self._cpu / usage, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise

    def joined(self) -> None:
        """The descriptors have been passed on."""
        while self.files:
            os.close(self.files.pop())

    def cpu(self) -> float:
        """CPU seconds of all processes so far."""
        text = os.pread(self._usage, 400, 0)
        if text.startswith(b"usage_usec"):
            return int(text.split(None, 2)[1]) / 1e6
        return int(text) / 1e9

    def ooms(self) -> int:
        """How many processes the kernel has ended for memory."""
        return cgroups.killed_for_memory(self._memory, 2 if self._second else 1) or 0

    def processes(self) -> list[int]:
        """Their numbers on the host."""
        return cgroups.processes(self._pids)

    def kill(self) -> None:
        """End them all, from outside: a program with many processes may leave process 1 of its cell no time to."""
        cgroups.kill(self._pids, time.monotonic() + _KILLING)

    def pressure(self) -> float | None:
        """Seconds in which one of its tasks waited for a processor; None: the kernel does not count that for groups."""
        with contextlib.suppress(OSError, ValueError):
            for line in (self._cpu / "cpu.pressure").read_text(encoding="ascii").splitlines():
                if line.startswith("some "):
                    return int(line.rpartition("total=")[2]) / 1e6
        return None

    def beyond(self, limit: int) -> bool:
        """Whether the memory in use, files included, is more than ``limit``. Takes microseconds."""
        if self._current < 0:
            name = "memory.current" if self._second else "memory.usage_in_bytes"
            self._current = os.open(self._memory / name, os.O_RDONLY | os.O_CLOEXEC)
        return int(os.pread(self._current, 40, 0)) > limit

    def sample(self) -> None:
        """Remember the peaks: of memory without files, of files in memory, and of files that a process mapped."""
        used, files = self._used()
        self._seen, self._files = max(self._seen, used), max(self._files, files)
        if files >= _FILE_CACHE:
            mapped = (proc.number(Path(f"/proc/{pid}/status"), "RssFile") or 0 for pid in self.processes())
            self._mapped = max(self._mapped, max(mapped, default=0) << 10)

    def _used(self) -> tuple[int, int]:
        """(bytes in use without files, bytes of files that are also on a disk)."""
        found: dict[str, int] = {}
        with contextlib.suppress(OSError, ValueError):
            for line in (self._memory / "memory.stat").read_text(encoding="ascii").splitlines():
                key, _, value = line.partition(" ")
                if key in ("rss", "anon", "shmem", "active_file", "inactive_file"):
                    found[key] = int(value)
        used = found.get("anon", found.get("rss", 0)) + found.get("shmem", 0)
        return used, found.get("active_file", 0) + found.get("inactive_file", 0)

    def memory(self, resident: int | None, moved: int) -> int | None:
        """Peak in bytes, once the run is over; None: not known.

        Files in memory do not count. How much of them there was at the peak is not known, so the most that is possible
        is subtracted, but the result is never below the sampled memory without files or that of one process.

        Args:
            resident: The largest resident size of one of its processes, as far as known.
            moved: Bytes that were read from disks and are to be written to them.
        """
        name = "memory.peak" if self._second else "memory.max_usage_in_bytes"
        try:
            peak = int((self._memory / name).read_text(encoding="ascii"))
        except (OSError, ValueError):  # version 2 before Linux 5.19 does not record it
            known = max(self._seen, resident or 0)
            return known or None
        files = max(self._used()[1], self._files, moved)
        own = max(peak - files, self._seen)
        if files >= _FILE_CACHE and resident is not None:
            own = max(own, resident - self._mapped)
        return min(peak, own)

    def close(self) -> bool:
        """Remove the groups. False: a process is still in them."""
        self.joined()
        for file in (self._usage, self._current):
            if file >= 0:
                os.close(file)
        self._usage = self._current = -1
        gone = [cgroups.remove(directory, attempts=200) for directory in self.directories]
        return all(gone)


def clear_left_over(owner: str) -> None:
    """Remove the groups of a judge that has ended, where we make ours."""
    where = controls()
    if isinstance(where, Controls):
        for parent in {where.memory.directory, where.cpu.directory, where.pids.directory}:
            for group in parent.glob(f"{PREFIX}{owner}-*"):
                cgroups.clear(group)
