# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""The garden as the interactor has it: drawn from a seed, rained on by the hour, emptied by one who knows it all."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

MASK = (1 << 64) - 1
DRY, WET = 40, 160  # per cent of the ordinary rain


@dataclass(frozen=True)
class Garden:
    """Centilitres, hours. ``turn``: the first hour with the second rates. ``gusts``: per cent around the ordinary."""

    hours: int
    looks: int
    seed: int
    gusts: int
    turn: int
    weather: str
    capacities: tuple[int, ...]
    rates: tuple[tuple[int, int], ...]

    def text(self) -> str:
        lines = [
            f"{len(self.rates)} {self.hours} {self.looks}",
            f"{self.seed} {self.gusts} {self.turn}",
            self.weather,
            *(f"{capacity} {old} {new}" for capacity, (old, new) in zip(self.capacities, self.rates, strict=True)),
        ]
        return "".join(f"{line}\n" for line in lines)


def splitmix(seed: int) -> Callable[[], int]:
    """The interactor's generator."""
    state = seed

    def draw() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    return draw


def drawn(
    seed: int, *, barrels: int, hours: int, looks: int, gusts: int = 0, weather: bool = False, turns: bool = False
) -> Garden:
    """A garden after the rules that the statement gives away."""
    chance = random.Random(seed)

    def rate(capacity: int) -> int:
        """Full in between a fifth of a round over all barrels and five rounds; as often slow as quick."""
        fills = barrels * math.exp(chance.uniform(-math.log(5), math.log(5)))
        return max(1, round(capacity / fills))

    capacities = tuple(round(math.exp(chance.uniform(math.log(1000), math.log(40000)))) for _ in range(barrels))
    rates = tuple((rate(capacity), rate(capacity)) for capacity in capacities)
    turn = chance.randint(hours * 2 // 5, hours * 3 // 5) if turns else hours
    wet = chance.random() < 0.5
    sky = []
    for _ in range(hours):
        if chance.random() < 0.08:
            wet = not wet
        sky.append(("w" if wet else "d") if weather else "o")
    return Garden(hours, looks, chance.randrange(1 << 32), gusts, turn, "".join(sky), capacities, rates)


class Season:
    """A garden in the course of its hours. It rains as an hour begins; `empty` ends it."""

    def __init__(self, garden: Garden) -> None:
        self.garden = garden
        self.draw = splitmix(garden.seed)
        self.contents = [0] * len(garden.rates)
        self.hour = 0
        self.collected = 0
        self.rain()

    def inflow(self, barrel: int) -> int:
        """What an ordinary hour brings now."""
        return self.garden.rates[barrel][self.hour >= self.garden.turn]

    def rain(self) -> None:
        if self.hour >= self.garden.hours:
            return
        sky = {"o": 100, "d": DRY, "w": WET}[self.garden.weather[self.hour]]
        for barrel, capacity in enumerate(self.garden.capacities):
            gust = 100 - self.garden.gusts + self.draw() % (2 * self.garden.gusts + 1)
            self.contents[barrel] = min(capacity, self.contents[barrel] + self.inflow(barrel) * sky * gust // 10000)

    def empty(self, barrel: int) -> int:
        taken, self.contents[barrel] = self.contents[barrel], 0
        self.collected += taken
        self.hour += 1
        self.rain()
        return taken


def informed(garden: Garden) -> int:
    """What one collects who sees all contents and knows all capacities, but neither rates nor the rain to come.

    Each hour takes from where content times fullness is the largest, fullness to the first or to the second power,
    whichever brings more over the season: to leave a barrel that is not full costs nothing.
    """
    return max(_by_fullness(garden, power) for power in (1, 2))


def _by_fullness(garden: Garden, power: int) -> int:
    season = Season(garden)
    while season.hour < garden.hours:

        def worth(barrel: int) -> float:
            content = season.contents[barrel]
            return content * (content / garden.capacities[barrel]) ** power

        season.empty(max(range(len(season.contents)), key=worth))
    return season.collected
