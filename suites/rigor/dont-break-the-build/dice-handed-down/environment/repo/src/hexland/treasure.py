"""Hoards: what is hidden in a place."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import dice

_GEMS = ("agate", "opal", "garnet", "amber")


def _coins() -> int:
    return dice.roll(3, 6) * 10


def _gems() -> list[str]:
    return [dice.pick(_GEMS) for _ in range(dice.between(0, 2))]


@dataclass
class Hoard:
    """Coins and gems; drawn unless they are given."""

    coins: int = field(default_factory=_coins)
    gems: list[str] = field(default_factory=_gems)
    trapped: bool = field(default_factory=lambda: dice.chance(25))

    def describe(self) -> str:
        parts = [f"{self.coins} coins", *self.gems]
        return ", ".join(parts) + (" (trapped)" if self.trapped else "")


def hoard() -> Hoard:
    """A hoard with everything drawn: coins first, then gems, then whether it is trapped."""
    return Hoard()
