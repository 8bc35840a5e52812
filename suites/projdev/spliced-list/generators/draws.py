# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""The generator and the digest of the drivers (run.hpp), once more."""

from __future__ import annotations

from collections.abc import Iterable

MASK = (1 << 64) - 1


class SplitMix:
    def __init__(self, seed: int) -> None:
        self._state = seed

    def __call__(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, end: int) -> int:
        return self() % end


class Digest:
    def __init__(self) -> None:
        self.value = 0xCBF29CE484222325

    def add(self, *numbers: int) -> None:
        for number in numbers:
            self.value = ((self.value ^ (number & MASK)) * 0x100000001B3 + 0x9E3779B97F4A7C15) & MASK

    def row(self, values: Iterable[int]) -> None:
        """A size and the elements."""
        values = list(values)
        self.add(len(values), *values)
