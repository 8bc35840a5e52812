"""Where people live."""

from __future__ import annotations

from dataclasses import dataclass

from . import dice, names, treasure
from .hexes import Place
from .tables import GOODS, KINDS, PEOPLE
from .terrain import Land


@dataclass
class Settlement:
    name: str
    place: Place
    terrain: str
    kind: str
    people: int
    goods: list[str]
    hoard: treasure.Hoard | None


def found(land: Land, rivers: list[list[Place]], count: int) -> list[Settlement]:
    """So many settlements (fewer if there is no room), those on rivers first, and otherwise as the dice fall."""
    wet = {place for river in rivers for place in river}
    sites = [place for place in sorted(land) if land[place] not in ("lake", "mountain")]
    sites.sort(key=lambda place: (place not in wet, dice.between(1, 1000)))
    return [_settle(place, land[place]) for place in sites[:count]]


def _settle(place: Place, terrain: str) -> Settlement:
    kind = dice.weighted(KINDS)
    rolls, scale = PEOPLE[kind]
    return Settlement(
        name=names.place(terrain),
        place=place,
        terrain=terrain,
        kind=kind,
        people=dice.roll(rolls, 6) * scale // 3,
        goods=dice.shuffled(GOODS[terrain])[: 1 + (kind in ("market", "town"))],
        hoard=treasure.hoard() if dice.chance(30) else None,
    )
