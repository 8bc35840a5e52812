"""Keys and their numbers."""

from __future__ import annotations

from .errors import SpoolError


class KeyTable:
    """Numbers keys from 0 in the order in which they are first met."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def number(self, name: str) -> int | None:
        """The number of a key, None if it has none yet."""
        return self._numbers.get(name)

    def add(self, name: str) -> int:
        self._numbers[name] = len(self._names)
        self._names.append(name)
        return self._numbers[name]

    def name(self, number: int) -> str:
        """The key with this number.

        Raises:
            SpoolError: there is none.
        """
        if number >= len(self._names):
            raise SpoolError(f"key {number} is not known; is the segment damaged?")
        return self._names[number]
