"""Prints what was counted."""

from __future__ import annotations

from .store import Store


def report(store: Store, hours: bool = False, gate: str | None = None) -> list[str]:
    """A line for each day and gate, or for each of their hours."""
    sums: dict[tuple[str, ...], list[int]] = {}
    for day, name, hour, entered, left in store.counts.rows():
        if gate is None or name == gate:
            total = sums.setdefault((day, name, f"{hour}h") if hours else (day, name), [0, 0])
            total[0] += entered
            total[1] += left
    return [f"{' '.join(key)}: {entered} in, {left} out" for key, (entered, left) in sums.items()]
