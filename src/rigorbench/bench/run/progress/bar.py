"""A progress bar on the terminal's last line: runs done, their cost, and the time left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ...experiment.model import Cell, RunResult
from .observer import Observer


class Estimate:
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


class ProgressBar(Observer):
    def __init__(self, jobs: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeElapsedColumn
        from rich.text import Text

        bar = self

        class Now(ProgressColumn):
            """Rendered at each refresh, so that the time left decreases while nothing else happens."""

            def render(self, task: Task) -> Text:
                return Text(bar.now())

        self._estimate = Estimate(jobs)
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
