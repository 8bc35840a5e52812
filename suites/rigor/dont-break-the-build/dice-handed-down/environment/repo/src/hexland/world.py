"""A whole land."""

from __future__ import annotations

from dataclasses import dataclass

from . import dice, names, rivers, settlements, terrain
from .hexes import Place
from .settlements import Settlement
from .terrain import Land


@dataclass
class World:
    width: int
    height: int
    land: Land
    rivers: list[list[Place]]
    settlements: list[Settlement]


def generate(seed: int, width: int, height: int) -> World:
    """The land that belongs to a seed and a size."""
    dice.seed(seed)
    names.reset()
    land = terrain.erode(terrain.lay(width, height))
    flowing = rivers.trace(land)
    return World(width, height, land, flowing, settlements.found(land, flowing, 2 + width * height // 20))
