"""What one run uses while it runs, by control group or, without one, by its processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from ..kit import proc
from ..kit.proc import deleted, descendants
from . import disk
from .disk import DiskUsage
from .groups import RunGroup
from .spec import CellRun, Killed
from .starved import Starved

_TICK = os.sysconf("SC_CLK_TCK")
_REST = 20  # looking at files may take at most one part in so many of the time
_OFTEN, _SELDOM = 0.02, 0.25  # seconds between two looks
_MANY = 1 << 20  # entries: counting stops here
_MOST = 1 << 12


class RunWatch:
    """The watch over one run."""

    def __init__(self, run: CellRun, directories: tuple[str, ...], group: RunGroup | None) -> None:
        self._limits = run.limits
        self._whole = run.whole_disk
        self._directories = directories
        self.group = group
        """The run's control group; None: only the processes can be watched."""
        self.pid: int | None = None
        """The main process on the host; None: it has not started."""
        self.supervisor: int | None = None
        """The supervisor's process on the host."""
        self._direct = run.stdout is not None
        self._devices = {os.stat(directory).st_dev for directory in directories}
        self.before = DiskUsage()
        """What the directories contained before the run."""
        self.before = self.usage()
        self.out_of_memory = False
        """Whether the memory limit was exceeded."""
        self.largest: int | None = None
        """The peak of the largest process in bytes, without a control group."""
        self.starved = Starved()
        """How long it waited for a processor that others used."""
        self.direct_output = 0
        """Bytes written to a standard output that is not captured."""
        self._pace = _OFTEN
        self._io_before = 0

    def usage(self, *, idle: bool = True) -> DiskUsage:
        """What /w and /tmp contain, counted as far as it matters; ``idle``: no program runs."""
        most = _MANY if self._limits.files is None else max(_MOST, self.before.files + self._limits.files)
        total = DiskUsage()
        for directory in self._directories:
            total += disk.count(directory, most, unlock=idle)
        return total

    def begin(self, pid: int, supervisor: int) -> None:
        """The main process has started."""
        self.pid, self.supervisor = pid, supervisor
        self.starved.begin(time.monotonic())
        if self._direct:
            self._io_before = _written(supervisor)

    def cpu(self) -> float:
        """CPU seconds so far."""
        if self.group is not None:
            return self.group.cpu()
        return sum(_ticks(pid) for pid in self._processes()) / _TICK

    def over(self) -> bool:
        """Whether it has used more CPU time than it may. With a control group this takes microseconds."""
        return self._limits.cpu is not None and self.cpu() > self._limits.cpu

    def note_starved(self) -> None:
        """Add to `starved` what was since the last look."""
        pressure = self.group.pressure() if self.group is not None else None
        self.starved.sample(time.monotonic(), self._within_time(self._processes()), self.cpu(), pressure)

    def _processes(self) -> list[int]:
        if self.group is not None:
            return self.group.processes()
        return [self.pid, *descendants(self.pid)] if self.pid is not None else []

    def _within_time(self, pids: list[int]) -> Iterator[int]:
        """The processes, until the run is over its CPU time: to look at those of a fork bomb takes so long on a busy
        machine that it would use several times as much."""
        for pid in pids:
            if self.group is not None and self.over():
                return
            yield pid

    def look(self, errors: int) -> Killed | None:
        """Which limit of output, disk or files is exceeded; also notes memory. ``errors``: bytes of standard error."""
        self.note_starved()
        if self.group is not None:
            self.out_of_memory = self.group.ooms() > 0
            self.group.sample()
        else:
            # Without a control group: resident sizes, and files in memory, which are in no resident size.
            pids = self._processes()
            if pids and self._limits.memory is not None and deleted(pids, None) > self._limits.memory:
                self.out_of_memory = True
            for pid in pids:
                peak = proc.number(Path(f"/proc/{pid}/status"), "VmHWM")
                if peak is not None:
                    self.largest = max(self.largest or 0, peak << 10)
            if self._limits.memory is not None and self.largest is not None and self.largest > self._limits.memory:
                self.out_of_memory = True
        if self._direct:
            written = sum(_written(pid) for pid in self._within_time(self._processes()))
            if self.supervisor is not None:
                written += _written(self.supervisor) - self._io_before
            self.direct_output = max(self.direct_output, written - errors)
            if self.direct_output > self._limits.output:
                return "output"
        return self.exceeded(self.added(self._processes()))

    def added(self, pids: list[int]) -> DiskUsage:
        """What the run has added in /w and /tmp. ``pids``: its living processes."""
        usage = self.usage(idle=not pids)
        hidden = deleted(self._within_time(pids), self._devices) if pids else 0
        files = usage.files - self.before.files
        return DiskUsage(usage.bytes - self.before.bytes + hidden, files, usage.incomplete)

    def exceeded(self, added: DiskUsage) -> Killed | None:
        """Which limit of the disk is exceeded."""
        before = self.before if self._whole else DiskUsage()
        if self._limits.disk is not None and before.bytes + added.bytes > self._limits.disk:
            return "disk"
        if self._limits.files is not None and (before.files + added.files > self._limits.files or added.incomplete):
            return "files"
        return None

    def pace(self, cost: float) -> float:
        """Seconds until the next look: more with every look, and more when looking takes long."""
        self._pace = min(self._pace * 1.5, _SELDOM)
        return max(self._pace, cost * _REST)


def _ticks(pid: int) -> int:
    """Clock ticks of a process and of the children that it has waited for."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return sum(map(int, text.rpartition(")")[2].split()[11:15]))


def _written(pid: int) -> int:
    return proc.number(Path(f"/proc/{pid}/io"), "wchar") or 0
