"""Who came where."""

from __future__ import annotations

from dataclasses import dataclass

from .model import Race, Result


@dataclass(frozen=True)
class Placed:
    """A result with its place; None for a crew that did not finish."""

    result: Result
    place: int | None


def places(race: Race) -> list[Placed]:
    """The results of a race in the order of the finish, with their places. Equal times are equal places."""
    placed: list[Placed] = []
    for number, result in enumerate(race.ranking(), 1):
        place: int | None = number
        if not result.finished:
            place = None
        elif placed and placed[-1].result.time == result.time:
            place = placed[-1].place
        placed.append(Placed(result, place))
    return placed
