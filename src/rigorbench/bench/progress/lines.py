"""Progress as lines, where standard error is no terminal: in logs of CI, in files."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ...base.text import count
from ...experiment.model import Cell, RunResult
from .bar import Estimate, duration
from .observer import Observer

# Seconds between two lines.
EVERY = 15.0


class ProgressLines(Observer):
    """Says first what there is to do, then how far it is, at most every :data:`EVERY` seconds.

    Args:
        say: prints a line.
        now: the clock, in seconds.
    """

    def __init__(self, jobs: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._jobs, self._say, self._now = jobs, say, now
        self._estimate = Estimate(jobs)
        self._total = self._done = 0
        self._last = 0.0

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        self._total, self._done = len(cells), len(done)
        self._last = self._now()
        if len(done) == len(cells):
            self._say(f"{count(len(cells), 'run')}, all done before")
        else:
            before = f" ({len(done)} done before)" if done else ""
            self._say(f"{count(len(cells) - len(done), 'run')} to do{before}, {self._jobs} at a time")

    def started(self, cell: Cell) -> None:
        self._estimate.started(cell, self._now())

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        now = self._now()
        self._estimate.finished(cell, now)
        self._done += 1
        if now - self._last < EVERY or self._done == self._total:
            return
        self._last = now
        left = self._estimate.left(max(0, self._total - self._done - self._estimate.under_way), now)
        rest = "" if left is None else f", about {duration(left)} left"
        self._say(f"{self._done} of {count(self._total, 'run')} done{rest}")
