"""Dividing a float into floats that sum to it exactly, in whatever order they are added."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


class Ulps:
    """The multiples of one unit in the last place of ``total``, which is not negative.

    ``total`` is a whole number of these units, below 2**53. So is every sum of parts that are not negative and add up
    to at most ``total``: each such sum is a float, and adding them rounds nothing.

    Attributes:
        whole: ``total`` in these units.
    """

    def __init__(self, total: float) -> None:
        if not 0 <= total < math.inf:
            raise ValueError(f"a total must be a number that is not negative, not {total}")
        self.unit = math.ulp(total)
        self.whole = int(total / self.unit)  # exact: the unit is a power of two

    def value(self, units: int) -> float:
        return units * self.unit


def share_out(whole: int, weights: Sequence[Fraction]) -> list[int]:
    """``whole`` in whole parts that are as nearly as possible proportional to ``weights``.

    By largest remainders; of equal remainders the first part gets the unit.

    Raises:
        ValueError: no weight is positive, or one is negative.
    """
    total = sum(weights, Fraction(0))
    if total <= 0 or any(w < 0 for w in weights):
        raise ValueError("weights must not be negative, and one must be positive")
    exact = [whole * w / total for w in weights]
    parts = [math.floor(e) for e in exact]
    rest = whole - sum(parts)
    order = sorted(range(len(parts)), key=lambda n: (parts[n] - exact[n], n))
    for n in order[:rest]:
        parts[n] += 1
    return parts
