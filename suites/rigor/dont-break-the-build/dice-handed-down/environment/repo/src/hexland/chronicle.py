"""What happens day by day."""

from __future__ import annotations

from collections.abc import Iterator

from . import dice, encounters, names, weather
from .errors import WorldError
from .hexes import label, neighbours
from .world import World


def chronicle(world: World, days: int, season: str) -> Iterator[str]:
    """A line for each day of a walk through the land; each is drawn when it is asked for."""
    if not world.settlements:
        raise WorldError("nobody lives there who could keep a chronicle")
    skies = weather.forecast(season)
    return _walk(world, days, skies)


def _walk(world: World, days: int, skies: Iterator[str]) -> Iterator[str]:
    here = dice.pick(world.settlements).place
    homes = {s.place: s.name for s in world.settlements}
    for day in range(1, days + 1):
        sky = next(skies)
        terrain = world.land[here]
        met = encounters.meet(terrain)
        line = f"day {day}: {sky}, {label(here)} {homes.get(here, terrain)}"
        if met is not None:
            line += f", {met}"
            if dice.chance(20):
                line += f" led by {names.person(terrain)}"
        yield line
        # Nobody walks in snow.
        if sky != "snow":
            here = dice.pick(neighbours(here, world.land))
