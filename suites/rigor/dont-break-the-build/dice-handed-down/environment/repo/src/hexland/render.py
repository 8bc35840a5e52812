"""A map in letters."""

from __future__ import annotations

from .tables import SIGNS
from .world import World


def render(world: World) -> str:
    """The map; rivers are a slash, settlements the first letter of their name."""
    signs = {place: SIGNS[terrain] for place, terrain in world.land.items()}
    for river in world.rivers:
        signs.update((place, "/") for place in river[1:] if world.land[place] != "lake")
    signs.update((s.place, s.name[0]) for s in world.settlements)
    lines = ["    " + " ".join(chr(ord("A") + col) for col in range(world.width))]
    for row in range(world.height):
        shift = " " if row % 2 else ""
        lines.append(f"{row + 1:02d}  {shift}" + " ".join(signs[col, row] for col in range(world.width)))
    return "\n".join(lines) + "\n"
