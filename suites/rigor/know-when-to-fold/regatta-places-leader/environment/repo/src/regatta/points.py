"""What a place is worth."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from .model import Race

# Of places 1 to 8; all others bring nothing.
TABLE = (10, 8, 6, 5, 4, 3, 2, 1)


def worth(first: int, count: int) -> Fraction:
    """The mean of the points of ``count`` places, from the place ``first`` on."""
    total = sum(TABLE[place - 1] for place in range(first, first + count) if place <= len(TABLE))
    return Fraction(total, count)


def award(race: Race) -> dict[str, Fraction]:
    """Crew -> points. Crews with the same time take up as many places as they are and share their points."""
    together = Counter(result.time for result in race.results if result.finished)
    awarded: dict[str, Fraction] = {}
    for result in race.results:
        if result.time is None:
            awarded[result.crew] = Fraction(0)
            continue
        faster = sum(count for time, count in together.items() if time is not None and time < result.time)
        awarded[result.crew] = worth(faster + 1, together[result.time])
    return awarded


def show(points: Fraction) -> str:
    """Points with two digits behind the point, halves rounded up."""
    hundredths = int(points * 100 + Fraction(1, 2))
    return f"{hundredths // 100}.{hundredths % 100:02d}"
