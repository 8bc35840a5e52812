"""The cup: the points of all races together."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .model import Race
from .points import award


def cup(races: Iterable[Race]) -> list[tuple[str, Fraction]]:
    """(club, points), most points first; clubs with as many points by name."""
    total: dict[str, Fraction] = {}
    for race in races:
        awarded = award(race)
        for result in race.results:
            total[result.club] = total.get(result.club, Fraction(0)) + awarded[result.crew]
    return sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
