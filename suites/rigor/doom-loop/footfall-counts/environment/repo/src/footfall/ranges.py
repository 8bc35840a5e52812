"""A set of whole numbers that is small where they follow each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable


class Ranges:
    """Numbers as ranges from first to last; no two ranges touch."""

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        self._pairs: list[tuple[int, int]] = []
        for first, last in sorted((first, last) for first, last in pairs):
            # Those that touch are one.
            if self._pairs and first - self._pairs[-1][1] <= 2:
                first, last = self._pairs[-1][0], max(last, self._pairs[-1][1])
                self._pairs.pop()
            self._pairs.append((first, last))

    def add(self, number: int) -> bool:
        """Add a number; whether it is new."""
        place = bisect_right(self._pairs, (number, number))
        before = self._pairs[place - 1] if place else None
        if before is not None and before[0] <= number <= before[1]:
            return False
        after = self._pairs[place] if place < len(self._pairs) else None
        if after is not None and after[0] == number:
            return False
        first, last, start, end = number, number, place, place
        if before is not None and before[1] == number - 1:
            first, start = before[0], place - 1
        if after is not None and after[0] == number + 1:
            last, end = after[1], place + 1
        self._pairs[start:end] = [(first, last)]
        return True

    def pairs(self) -> list[tuple[int, int]]:
        return list(self._pairs)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self._pairs)
