"""The interface of everything that follows the runs of an experiment."""

from __future__ import annotations

from collections.abc import Sequence

from ...experiment.model import Cell, RunResult


class Observer:
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
