"""Whom one meets on the way."""

from __future__ import annotations

from collections.abc import Callable

from . import dice

# By terrain: who, how likely (of a hundred), and how many of them; the first that comes counts.
_TABLES: dict[str, list[tuple[str, int, Callable[[], int]]]] = {
    "plain": [("pedlars", 15, lambda: dice.roll(1, 3)), ("riders", 10, lambda: dice.roll(2, 4))],
    "forest": [("wolves", 20, lambda: dice.roll(2, 4)), ("charcoal burners", 10, lambda: dice.roll(1, 4, 1))],
    "hills": [("shepherds", 15, lambda: dice.roll(1, 2)), ("robbers", 15, lambda: dice.roll(3, 4))],
    "mountain": [("eagles", 10, lambda: dice.between(1, 2)), ("a troll", 5, lambda: 1)],
    "marsh": [("eel fishers", 20, lambda: dice.roll(1, 4)), ("lights", 20, lambda: dice.roll(1, 6, 2))],
    "lake": [("ferrymen", 25, lambda: dice.between(1, 2))],
}


def meet(terrain: str) -> str | None:
    """Who comes along and how many, or None."""
    for who, percent, count in _TABLES[terrain]:
        if dice.chance(percent):
            number = count()
            return who if number == 1 else f"{number} {who}"
    return None
