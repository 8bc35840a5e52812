"""Figures of hidden test points, in steps so coarse that they carry little of what a program read.

A program that is meant to spy can choose its time, its memory and, with some checkers, its score. Each figure has few
values, whatever the limits are; docs/judge-server.md states how many bits that is.
"""

from __future__ import annotations

import math
from typing import Final

# The smallest steps: 10 ms and 1 MiB. Two values for each doubling: 1, 1.5, 2, 3, 4, 6, 8, 12 ...
_TIME: Final = 10
_MEMORY: Final = 1 << 20
# Beyond these nothing is told apart: 100 s and 16 GiB.
_LONGEST: Final = 100 * 1000
_LARGEST: Final = 16 << 30
# Steps from no points to all.
_SCORES: Final = 100


def time_msecs(seconds: float | None) -> int | None:
    """CPU time, rounded up to a step."""
    return None if seconds is None else _step(seconds * 1000, _TIME, _LONGEST)


def memory_bytes(count: int | None) -> int | None:
    """A peak of memory, rounded up to a step."""
    return None if count is None else _step(count, _MEMORY, _LARGEST)


def score(value: float | None, full: float) -> float | None:
    """Points, rounded down to a hundredth of `full`: only all points show as all."""
    if value is None or full <= 0 or value >= full:
        return value
    # A score that is a whole number of steps must not fall below it by the last bit of a division.
    return math.floor(value / full * _SCORES + 1e-9) * full / _SCORES


def _step(value: float, unit: int, most: int) -> int:
    units = 1
    while units * unit < min(value, most):
        power = units & (units - 1) == 0
        units = 2 if units == 1 else units * 3 // 2 if power else units * 4 // 3
    return units * unit
