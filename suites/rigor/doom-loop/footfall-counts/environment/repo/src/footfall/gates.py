"""Short numbers for the names of gates."""

from __future__ import annotations


class GateTable:
    """Numbers gates from 0, in the order in which they turn up."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, gate: str) -> int:
        return self._numbers.setdefault(gate, len(self._numbers))
