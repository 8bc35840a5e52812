"""Follows the runs of an experiment: a bar on the last line of a terminal, lines where there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from ...base.text import count
from ..experiment.records import Cell, RunResult


class RunObserver:
    """Ignores everything. All calls come from one thread, and none may wait."""

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        """Before the first run: all cells, those that were done before, and their results."""

    def started(self, cell: Cell) -> None:
        """A run, or the scoring of one that had ended, has begun."""

    def ended(self, cell: Cell) -> None:
        """The agent has ended, and all evidence is on disk; scoring begins."""

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        """The run is done. ``problem``: why there is no result, in one line."""

    def close(self) -> None:
        """There are no further calls."""


class TimeLeft:
    """Estimates the time left from the durations of this call's runs; a run under way counts with its rest."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._took: list[float] = []
        self._since: dict[Cell, float] = {}

    @property
    def under_way(self) -> int:
        return len(self._since)

    def started(self, cell: Cell, now: float) -> None:
        self._since[cell] = now

    def finished(self, cell: Cell, now: float) -> None:
        since = self._since.pop(cell, None)
        if since is not None:
            self._took.append(now - since)

    def left(self, waiting: int, now: float) -> float | None:
        """Seconds until ``waiting`` further runs and those under way are done; None until one run is done."""
        if not self._took:
            return None
        mean = sum(self._took) / len(self._took)
        rest = sum(max(0.0, mean - (now - since)) for since in self._since.values())
        longest = max((max(0.0, mean - (now - since)) for since in self._since.values()), default=0.0)
        return max((waiting * mean + rest) / self.jobs, longest, mean if waiting else 0.0)


class RunBar(RunObserver):
    def __init__(self, jobs: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeElapsedColumn
        from rich.text import Text

        bar = self

        class Now(ProgressColumn):
            """Rendered at each refresh, so that the time left decreases while nothing else happens."""

            def render(self, task: Task) -> Text:
                return Text(bar.now())

        self._estimate = TimeLeft(jobs)
        self._cost: float | None = None
        self._failed = 0
        self._total = self._done = 0
        self._begun = False
        self._bar: Any = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            Now(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: Any = None

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        self._total, self._done = len(cells), len(done)
        self._task = self._bar.add_task("", total=self._total, completed=self._done)
        self._bar.start()

    def started(self, cell: Cell) -> None:
        self._begun = True
        self._estimate.started(cell, time.monotonic())

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        self._estimate.finished(cell, time.monotonic())
        self._done += 1
        self._failed += problem is not None or (result is not None and result.status == "error")
        if result is not None and result.cost is not None:
            self._cost = (self._cost or 0.0) + result.cost
        if self._task is not None:
            self._bar.update(self._task, completed=self._done)

    def close(self) -> None:
        self._bar.stop()

    def now(self) -> str:
        """Runs under way and broken, the cost so far, and the time left."""
        if not self._begun:
            return "starting"
        under_way = self._estimate.under_way
        left = self._estimate.left(max(0, self._total - self._done - under_way), time.monotonic())
        parts = [f"{under_way} running"]
        if self._failed:
            parts.append(f"{self._failed} broke")
        if self._cost is not None:
            parts.append(f"${self._cost:.2f}")
        parts.append(f"about {duration(left)} left" if left is not None else "time left not known yet")
        return " · ".join(parts)


def duration(seconds: float) -> str:
    """Two units at most: ``45 s``, ``12 min``, ``3 h 20 min``."""
    whole = round(seconds)
    if whole < 90:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


# Seconds between two lines, at least; and, while runs are under way, at most.
EVERY = 15.0
SILENCE = 60.0


class ProgressLines(RunObserver):
    """Says first what there is to do, then how far it is, at most every :data:`EVERY` seconds.

    While nothing ends, a line every :data:`SILENCE` seconds says what is running: a model on one's own machine may take
    an hour for a run.
    """

    def __init__(self, jobs: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._jobs, self._say, self._now = jobs, say, now
        self._estimate = TimeLeft(jobs)
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
