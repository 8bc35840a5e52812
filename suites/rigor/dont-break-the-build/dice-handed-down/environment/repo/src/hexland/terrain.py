"""The terrain of each hex."""

from __future__ import annotations

from . import dice
from .errors import WorldError
from .hexes import Place, neighbours
from .tables import TERRAINS

Land = dict[Place, str]


def lay(width: int, height: int) -> Land:
    """A land row by row; a hex often is like the one before it."""
    if not 2 <= width <= 26 or not 2 <= height <= 99:
        raise WorldError(f"a land of {width}x{height} hexes; it must be from 2x2 to 26x99")
    land: Land = {}
    for row in range(height):
        for col in range(width):
            before = land.get((col - 1, row)) or land.get((col, row - 1))
            if before is not None and dice.chance(55):
                land[col, row] = before
            else:
                land[col, row] = dice.weighted(TERRAINS)
    return land


def erode(land: Land) -> Land:
    """The same land without lone hexes: each turns into what one of its neighbours is."""
    result = dict(land)
    for place in sorted(land):
        around = [result[other] for other in neighbours(place, land)]
        if result[place] not in around:
            result[place] = dice.pick(around)
    return result
