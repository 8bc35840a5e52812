"""P-values adjusted for several tests at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Method = Literal["holm", "bh"]


def adjusted(p: Sequence[float | None], method: Method = "holm") -> list[float | None]:
    """The adjusted p-values of a family of tests, in their order. None is no test: it stays None and does not count.

    "holm" keeps the chance of a single false finding in the family below the level, however the tests depend on each
    other (Holm 1979). "bh" keeps the expected share of false findings below it, for tests that are independent or
    positively dependent (Benjamini and Hochberg 1995).

    Raises:
        ValueError: a p-value outside [0, 1].
    """
    known = sorted((value, place) for place, value in enumerate(p) if value is not None)
    wrong = [value for value, _ in known if not 0 <= value <= 1]
    if wrong:
        raise ValueError(f"{wrong[0]} is not a p-value")
    found: list[float | None] = [None] * len(p)
    count = len(known)
    running = 0.0 if method == "holm" else 1.0
    ranked = list(enumerate(known, 1))
    for rank, (value, place) in ranked if method == "holm" else reversed(ranked):
        if method == "holm":
            running = max(running, min(1.0, (count - rank + 1) * value))
        else:
            running = min(running, count / rank * value)
        found[place] = running
    return found
