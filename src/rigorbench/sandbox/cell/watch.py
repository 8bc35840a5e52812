"""What one run uses while it goes on, by control group or, without one, by the process itself."""

from __future__ import annotations

import os
from pathlib import Path

from .. import proc
from ..proc import descendants
from . import disk
from .disk import Held
from .groups import RunGroup
from .spec import Killed, Run

_TICK = os.sysconf("SC_CLK_TCK")
_REST = 20  # of the time, looking at files may take one part in so many
_OFTEN, _SELDOM = 0.02, 0.25  # seconds between two looks
_MANY = 1 << 20  # entries: nobody counts further
_MOST = 1 << 12


class Watch:
    """``group`` None: the host's number ``pid`` of the main process is all there is to go by."""

    def __init__(self, run: Run, places: tuple[str, ...], group: RunGroup | None) -> None:
        self._limits = run.limits
        self._whole = run.whole_disk
        self._places = places
        self.group = group
        self.pid: int | None = None
        self.supervisor: int | None = None
        self._direct = run.stdout is not None
        self._devices = {os.stat(place).st_dev for place in places}
        self.before = Held()
        self.before = self.held()
        self.out_of_memory = False
        self.largest: int | None = None
        self.direct_output = 0
        self._pace = _OFTEN
        self._io_before = 0

    def held(self, *, over: bool = True) -> Held:
        """What lies in /w and /tmp, counted as far as it matters; ``over``: nothing runs."""
        most = _MANY if self._limits.files is None else max(_MOST, self.before.files + self._limits.files)
        total = Held()
        for place in self._places:
            total += disk.count(place, most, unlock=over)
        return total

    def begin(self, pid: int, supervisor: int) -> None:
        self.pid, self.supervisor = pid, supervisor
        if self._direct:
            self._io_before = _written(supervisor)

    def cpu(self) -> float:
        if self.group is not None:
            return self.group.cpu()
        return sum(_ticks(pid) for pid in self._processes()) / _TICK

    def _processes(self) -> list[int]:
        if self.group is not None:
            return self.group.processes()
        return [self.pid, *descendants(self.pid)] if self.pid is not None else []

    def look(self, errors: int) -> Killed | None:
        """Which limit of output, disk or files is exceeded; also notes memory. ``errors``: bytes of standard error."""
        if self.group is not None:
            self.out_of_memory = self.group.ooms() > 0
            self.group.sample()
        else:
            self._resident()
        if self._direct:
            written = sum(_written(pid) for pid in self._processes())
            if self.supervisor is not None:
                written += _written(self.supervisor) - self._io_before
            self.direct_output = max(self.direct_output, written - errors)
            if self.direct_output > self._limits.output:
                return "output"
        return self.exceeded(self.added(self._processes()))

    def added(self, pids: list[int]) -> Held:
        """``pids``: of what runs."""
        held = self.held(over=not pids)
        hidden = disk.deleted(pids, self._devices) if pids else 0
        return Held(held.bytes - self.before.bytes + hidden, held.files - self.before.files, held.over)

    def exceeded(self, added: Held) -> Killed | None:
        before = self.before if self._whole else Held()
        if self._limits.disk is not None and before.bytes + added.bytes > self._limits.disk:
            return "disk"
        if self._limits.files is not None and (before.files + added.files > self._limits.files or added.over):
            return "files"
        return None

    def pace(self, cost: float) -> float:
        """Seconds until the next look: more and more of them, and more when looking is dear."""
        self._pace = min(self._pace * 1.5, _SELDOM)
        return max(self._pace, cost * _REST)

    def _resident(self) -> None:
        """Without a control group: resident sizes, and files in memory that belong to no process's."""
        pids = self._processes()
        if pids and self._limits.memory is not None and disk.deleted(pids, None) > self._limits.memory:
            self.out_of_memory = True
        for pid in pids:
            peak = proc.number(Path(f"/proc/{pid}/status"), "VmHWM")
            if peak is not None:
                self.largest = max(self.largest or 0, peak << 10)
        if self._limits.memory is not None and self.largest is not None and self.largest > self._limits.memory:
            self.out_of_memory = True


def _ticks(pid: int) -> int:
    """Clock ticks of a process and of the children that it has waited for."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return sum(map(int, text.rpartition(")")[2].split()[11:15]))


def _written(pid: int) -> int:
    return proc.number(Path(f"/proc/{pid}/io"), "wchar") or 0
