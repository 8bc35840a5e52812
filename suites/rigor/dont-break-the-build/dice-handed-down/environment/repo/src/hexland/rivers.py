"""Rivers run from mountains down to water, or dry up."""

from __future__ import annotations

from . import dice
from .hexes import Place, neighbours
from .tables import HEIGHTS
from .terrain import Land

LONGEST = 9


def trace(land: Land) -> list[list[Place]]:
    """The rivers, each as the places that it runs through."""
    rivers = []
    for spring in sorted(place for place, terrain in land.items() if terrain == "mountain"):
        if not dice.chance(40):
            continue
        river = _flow(spring, land)
        if len(river) > 2:
            rivers.append(river)
    return rivers


def _flow(spring: Place, land: Land) -> list[Place]:
    river = [spring]
    while len(river) < LONGEST and land[river[-1]] != "lake":
        ahead = [place for place in neighbours(river[-1], land) if place not in river]
        if not ahead:
            break
        lowest = min(HEIGHTS[land[place]] for place in ahead)
        # Of several that are as low, any.
        river.append(dice.pick([place for place in ahead if HEIGHTS[land[place]] == lowest]))
    return river
