"""What a tab consists of."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

KINDS = ("equal", "weights", "percent")


class TabError(ValueError):
    """Something in a tab is wrong; the message says what."""


@dataclass(frozen=True)
class Split:
    """How an expense is shared.

    ``parts`` are (name, part) in the order in which the tab names them. The part is a text: a weight, a percentage, or
    "1" for everybody in an equal split.
    """

    kind: str
    parts: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise TabError(f"unknown kind of split: {self.kind}")
        if not self.parts:
            raise TabError("nobody shares this expense")
        names = [name for name, _ in self.parts]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise TabError(f"{twice} is named twice")

    @property
    def people(self) -> list[str]:
        return [name for name, _ in self.parts]

    @classmethod
    def equal(cls, *people: str) -> Split:
        return cls("equal", tuple((name, "1") for name in people))

    @classmethod
    def weights(cls, **weights: int) -> Split:
        return cls("weights", tuple((name, str(weight)) for name, weight in weights.items()))

    @classmethod
    def percent(cls, **percentages: str) -> Split:
        return cls("percent", tuple(percentages.items()))


@dataclass(frozen=True)
class Expense:
    """One line of the tab. ``cents`` is negative for a refund that the payer received."""

    date: datetime.date
    payer: str
    cents: int
    what: str
    split: Split
