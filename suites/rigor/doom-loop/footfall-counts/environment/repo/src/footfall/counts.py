"""Visitors by day, gate, hour and direction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from .events import Event

Tables = dict[str, dict[str, dict[str, dict[str, int]]]]


class Counts:
    """Counts of the museum's days and hours."""

    def __init__(self, tables: Tables | None = None) -> None:
        self.tables: Tables = tables if tables is not None else {}

    def add(self, event: Event, offset: timedelta) -> None:
        """Count an event, at the museum's time."""
        local = event.time + offset
        hours = self.tables.setdefault(local.date().isoformat(), {}).setdefault(event.gate, {})
        directions = hours.setdefault(f"{local.hour:02}", {})
        directions[event.direction] = directions.get(event.direction, 0) + 1

    def rows(self) -> Iterator[tuple[str, str, str, int, int]]:
        """(day, gate, hour, in, out), in this order."""
        for day, gates in sorted(self.tables.items()):
            for gate, hours in sorted(gates.items()):
                for hour, directions in sorted(hours.items()):
                    yield day, gate, hour, directions.get("in", 0), directions.get("out", 0)
