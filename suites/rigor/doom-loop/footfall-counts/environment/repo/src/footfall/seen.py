"""Knows which events were counted already."""

from __future__ import annotations

from collections.abc import Sequence

from .events import Event
from .gates import GateTable
from .ranges import Ranges

# Each gate has a span of its own, in which its events are numbered.
SPAN = 1 << 16


class Seen:
    """The events that were counted, as whole numbers."""

    def __init__(self) -> None:
        self._gates = GateTable()
        self._keys = Ranges()

    def add(self, event: Event) -> bool:
        """Remember an event; whether it is new."""
        return self._keys.add(self._gates.number(event.gate) * SPAN + event.number)

    def __len__(self) -> int:
        return len(self._keys)

    def dump(self) -> list[tuple[int, int]]:
        """What :meth:`load` takes."""
        return self._keys.pairs()

    @classmethod
    def load(cls, dumped: Sequence[tuple[int, int]]) -> Seen:
        seen = cls()
        seen._keys = Ranges((first, last) for first, last in dumped)
        return seen
