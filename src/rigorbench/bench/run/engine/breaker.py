"""Stops the runs of a model that answers nobody, after the first of them."""

from __future__ import annotations

from collections import Counter

from ....base.text import count
from ...experiment.model import Cell

# Runs in a row that broke since the model did not answer.
RUNS = 2


class Breaker:
    """Counts, for each model, the runs in a row that its provider broke."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """Why the runs of a model were stopped."""
        self.skipped: dict[str, Cell] = {}
        """Cells by id that are not run."""
        self._broken: Counter[str] = Counter()

    def skips(self, cell: Cell) -> bool:
        """Whether this run is not to be made."""
        if cell.model in self.reasons:
            self.skipped[cell.id] = cell
        return cell.id in self.skipped

    def broke(self, cell: Cell, why: str) -> None:
        self._broken[cell.model] += 1
        if self._broken[cell.model] >= RUNS:
            self.reasons.setdefault(cell.model, why)

    def answered(self, cell: Cell) -> None:
        self._broken[cell.model] = 0

    def problems(self) -> list[str]:
        """One line for each model whose further runs were not made."""
        left = Counter(cell.model for cell in self.skipped.values())
        return [
            f"model {model}: did not answer in {RUNS} runs, and {count(number, 'further run')} were not made "
            f"({self.reasons[model]}); the same command with --retry-errors continues when it answers again"
            for model, number in left.items()
        ]
