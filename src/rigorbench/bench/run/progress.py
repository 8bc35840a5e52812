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


class RunCounts(RunObserver):
    """Counts the runs, and estimates the time left from the durations of this call's; one under way counts with its
    rest."""

    def __init__(self, jobs: int, now: Callable[[], float] = time.monotonic) -> None:
        self.jobs, self.now = jobs, now
        self.total = self.done = self.failed = 0
        self.cost: float | None = None
        self.begun: dict[Cell, float] = {}
        self.scoring: set[Cell] = set()
        self._took: list[float] = []

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        self.total, self.done = len(cells), len(done)

    def started(self, cell: Cell) -> None:
        self.begun[cell] = self.now()
        self.scoring.discard(cell)  # a run that an outage ended is begun again

    def ended(self, cell: Cell) -> None:
        self.scoring.add(cell)

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        if cell in self.begun:
            self._took.append(self.now() - self.begun.pop(cell))
        self.scoring.discard(cell)
        self.done += 1
        self.failed += problem is not None or (result is not None and result.status == "error")
        if result is not None and result.cost is not None:
            self.cost = (self.cost or 0.0) + result.cost

    def left(self) -> float | None:
        """Seconds until all runs are done; None until one is."""
        if not self._took:
            return None
        mean = sum(self._took) / len(self._took)
        # A copy, since runs begin and end in another thread.
        rests = [max(0.0, mean - (self.now() - since)) for since in list(self.begun.values())]
        waiting = max(0, self.total - self.done - len(rests))
        return max((waiting * mean + sum(rests)) / self.jobs, max(rests, default=0.0), mean if waiting else 0.0)


class RunBar(RunCounts):
    """A bar on the last line of a terminal."""

    def __init__(self, jobs: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeElapsedColumn
        from rich.text import Text

        super().__init__(jobs)
        bar = self

        class Now(ProgressColumn):
            """Rendered at each refresh, so that the time left decreases while nothing else happens."""

            def render(self, task: Task) -> Text:
                return Text(bar.text())

        columns = (BarColumn(bar_width=24), MofNCompleteColumn(), Now(), TimeElapsedColumn())
        self._bar: Any = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task: Any = None
        self._begun = False

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        super().begin(cells, done, results)
        self._task = self._bar.add_task("", total=self.total, completed=self.done)
        self._bar.start()

    def started(self, cell: Cell) -> None:
        self._begun = True
        super().started(cell)

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        super().scored(cell, problem, result)
        if self._task is not None:
            self._bar.update(self._task, completed=self.done)

    def close(self) -> None:
        self._bar.stop()

    def text(self) -> str:
        """Runs under way and broken, the cost so far, and the time left."""
        if not self._begun:
            return "starting"
        left = self.left()
        parts = [f"{len(self.begun)} running"]
        if self.failed:
            parts.append(f"{self.failed} broke")
        if self.cost is not None:
            parts.append(f"${self.cost:.2f}")
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


class ProgressLines(RunCounts):
    """Says first what there is to do, then how far it is, at most every :data:`EVERY` seconds.

    While nothing ends, a line every :data:`SILENCE` seconds says what is running: a model on one's own machine may take
    an hour for a run.
    """

    def __init__(self, jobs: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(jobs, now)
        self._say = say
        self._last = 0.0
        self._closed = threading.Event()

    def begin(self, cells: Sequence[Cell], done: Sequence[Cell], results: Sequence[RunResult]) -> None:
        super().begin(cells, done, results)
        self._last = self.now()
        if len(done) == len(cells):
            self._say(f"{count(len(cells), 'run')}, all done before")
        else:
            before = f" ({len(done)} done before)" if done else ""
            self._say(f"{count(len(cells) - len(done), 'run')} to do{before}, {self.jobs} at a time")
            threading.Thread(target=self._watch, daemon=True).start()

    def scored(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        super().scored(cell, problem, result)
        if self.now() - self._last >= EVERY and self.done != self.total:
            self._line()

    def close(self) -> None:
        self._closed.set()

    def beat(self) -> None:
        """Says what is running, if nothing was said for a while."""
        if self.begun and self.now() - self._last >= SILENCE:
            self._line()

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            self.beat()

    def _line(self) -> None:
        self._last = self.now()
        running, begun = "", list(self.begun.values())
        if begun:
            scoring = f", {len(self.scoring)} of them being scored" if self.scoring else ""
            running = f", {len(begun)} running for up to {duration(self._last - min(begun))}{scoring}"
        left = self.left()
        rest = "" if left is None else f", about {duration(left)} left"
        self._say(f"{self.done} of {count(self.total, 'run')} done{running}{rest}")
