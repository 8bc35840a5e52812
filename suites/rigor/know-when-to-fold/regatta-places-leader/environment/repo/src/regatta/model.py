"""Races and what came out of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class Result:
    """What a crew did in a race. ``time``: hundredths of a second; None: it did not finish."""

    crew: str
    club: str
    time: int | None = None

    @property
    def finished(self) -> bool:
        return self.time is not None


@dataclass(frozen=True)
class Race:
    """One race; the results are in the order of the file."""

    id: str
    name: str
    date: date
    results: tuple[Result, ...] = field(default_factory=tuple)

    def ranking(self) -> list[Result]:
        """The results in the order of the finish; crews without a time come last, by name."""
        finished = sorted((r for r in self.results if r.time is not None), key=lambda r: (r.time or 0, r.crew))
        others = sorted((r for r in self.results if r.time is None), key=lambda r: r.crew)
        return finished + others
