"""The dice that everything is drawn with: one generator for the whole program."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

_source = random.Random()


def seed(value: int) -> None:
    """Start anew; the same value gives the same draws from here on."""
    _source.seed(value)


def roll(count: int, sides: int, plus: int = 0) -> int:
    """The sum of so many dice, and something added."""
    return sum(between(1, sides) for _ in range(count)) + plus


def between(low: int, high: int) -> int:
    """A number from low to high, both of them included."""
    return _source.randrange(low, high + 1)


def chance(percent: int) -> bool:
    """True so many times out of a hundred."""
    return between(1, 100) <= percent


def pick(items: Sequence[T]) -> T:
    """One of the items, each as likely as the others."""
    return items[between(0, len(items) - 1)]


def weighted(table: Mapping[str, int]) -> str:
    """One of the keys, as likely as its number says."""
    left = between(1, sum(table.values()))
    for key, weight in table.items():
        left -= weight
        if left <= 0:
            return key
    raise ValueError("the table is empty")


def shuffled(items: Sequence[T]) -> list[T]:
    """The items in another order; what was given stays as it is."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = between(0, last)
        result[last], result[other] = result[other], result[last]
    return result
