"""How long a run waited for a processor that others used: time in which it could not have worked and was not idle.

The kernel counts for each task how long it was ready to run and did not (``schedstat``), and for groups of version 2
how long some task was (``cpu.pressure``). What a run's own tasks take from each other is none of it: as many processes
as it likes wait while one of them works, and that one's time is CPU time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


class Starved:
    """Adds up, from sample to sample. Of what happens between two of them it never counts more than there was.
    ``seconds``: so far."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._tasks: dict[str, tuple[float, float]] = {}
        self._cpu = 0.0
        self._pressure = 0.0
        self._at: float | None = None

    def begin(self, now: float) -> None:
        self._at = now

    def sample(self, now: float, pids: Iterable[int], cpu: float, pressure: float | None) -> None:
        """Add what was since the last sample.

        Args:
            now: monotonic seconds.
            pids: the run's living processes.
            cpu: CPU seconds of all of them together so far.
            pressure: seconds so far in which some of them waited; None: not known.
        """
        if self._at is None:
            return
        worked = max(0.0, cpu - self._cpu)
        found = tasks(pids)
        # Of one task: the others' work in the meantime is our own.
        waits = []
        for task, (ran, waited) in found.items():
            ran_before, waited_before = self._tasks.get(task, (0.0, 0.0))
            waits.append(waited - waited_before - max(0.0, worked - (ran - ran_before)))
        if pressure is not None:
            # Also of tasks that have ended since; but here it is not known who it was that waited.
            waits.append(pressure - self._pressure - worked)
            self._pressure = pressure
        self.seconds += min(max([0.0, *waits]), max(0.0, now - self._at))
        self._tasks, self._cpu, self._at = found, cpu, now


def tasks(pids: Iterable[int]) -> dict[str, tuple[float, float]]:
    """The threads of processes: (seconds on a processor, seconds ready to run without one). Empty: not counted here."""
    found: dict[str, tuple[float, float]] = {}
    for pid in pids:
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for thread in threads:
            try:
                with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
                    ran, waited = file.read(100).split()[:2]
            except (OSError, ValueError):
                continue
            found[thread] = int(ran) / 1e9, int(waited) / 1e9
    return found
