"""Progress as lines, where standard error is no terminal: in logs of CI, in files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from ....base.text import count
from ...experiment.model import Cell, RunResult
from .bar import Estimate, duration
from .observer import Observer

# Seconds between two lines, at least; and, while runs are under way, at most.
EVERY = 15.0
SILENCE = 60.0


class ProgressLines(Observer):
    """Says first what there is to do, then how far it is, at most every :data:`EVERY` seconds.

    While nothing ends, a line every :data:`SILENCE` seconds says what is running: a model on one's own machine may take
    an hour for a run.
    """

    def __init__(self, jobs: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._jobs, self._say, self._now = jobs, say, now
        self._estimate = Estimate(jobs)
        self._total = self._done = 0
        self._last = 0.0
        self._begun: dict[Cell, float] = {}
        self._scoring: set[Cell] = set()
        self._closed = threading.Event()

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        self._total, self._done = len(cells), len(done)
        self._last = self._now()
        if len(done) == len(cells):
            self._say(f"{count(len(cells), 'run')}, all done before")
        else:
            before = f" ({len(done)} done before)" if done else ""
            self._say(f"{count(len(cells) - len(done), 'run')} to do{before}, {self._jobs} at a time")
            threading.Thread(target=self._watch, daemon=True).start()

    def started(self, cell: Cell) -> None:
        self._begun[cell] = self._now()
        self._estimate.started(cell, self._now())

    def ended(self, cell: Cell) -> None:
        self._scoring.add(cell)

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        now = self._now()
        self._estimate.finished(cell, now)
        self._begun.pop(cell, None)
        self._scoring.discard(cell)
        self._done += 1
        if now - self._last < EVERY or self._done == self._total:
            return
        self._line(now)

    def close(self) -> None:
        self._closed.set()

    def beat(self) -> None:
        """Says what is running, if nothing was said for a while."""
        now = self._now()
        if self._begun and now - self._last >= SILENCE:
            self._line(now)

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            self.beat()

    def _line(self, now: float) -> None:
        self._last = now
        begun = dict(self._begun)  # a copy, since runs begin and end in another thread
        running = ""
        if begun:
            scoring = f", {len(self._scoring)} of them being scored" if self._scoring else ""
            running = f", {len(begun)} running for up to {duration(now - min(begun.values()))}{scoring}"
        left = self._estimate.left(max(0, self._total - self._done - self._estimate.under_way), now)
        rest = "" if left is None else f", about {duration(left)} left"
        self._say(f"{self._done} of {count(self._total, 'run')} done{running}{rest}")
