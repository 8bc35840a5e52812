"""A text about the places of a land."""

from __future__ import annotations

from . import dice, names
from .hexes import label
from .settlements import Settlement
from .tables import RUMOURS
from .world import World


def gazetteer(world: World) -> str:
    """An entry for each settlement, by name."""
    return "".join(_entry(s) for s in sorted(world.settlements, key=lambda s: s.name))


def _entry(settlement: Settlement) -> str:
    lines = [
        f"{settlement.name} ({label(settlement.place)}), a {settlement.kind} of {settlement.people} in the {settlement.terrain}",
        f"  trades {' and '.join(settlement.goods)}",
    ]
    if settlement.kind != "hamlet":
        lines.append(f"  the inn is kept by {names.person(settlement.terrain)}, who says: {dice.pick(RUMOURS)}")
    if settlement.hoard is not None:
        lines.append(f"  hidden: {settlement.hoard.describe()}")
    return "\n".join(lines) + "\n"
