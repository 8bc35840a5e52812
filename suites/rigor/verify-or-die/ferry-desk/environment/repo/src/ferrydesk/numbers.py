"""Booking numbers."""

from __future__ import annotations

from .store import Store

KEY = "numbers"


class Numbers:
    """Counts upwards; the store remembers how far."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def draw(self) -> int:
        state = self._store.load(KEY) or {"last": 0}
        state["last"] += 1
        self._store.save(KEY, state)
        return int(state["last"])
