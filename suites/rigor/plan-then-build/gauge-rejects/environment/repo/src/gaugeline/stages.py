"""The stages, and the registry in which they are found. Described in docs/stages.md."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .errors import Reject
from .schema import Reading, parse_time, time_text

STAGES: dict[str, type[Stage]] = {}


def register(name: str) -> Callable[[type[Stage]], type[Stage]]:
    """Makes a stage known under a name."""

    def known(kind: type[Stage]) -> type[Stage]:
        kind.name = name
        STAGES[name] = kind
        return kind

    return known


class Stage:
    """One step of a pipeline."""

    name: ClassVar[str] = ""

    def apply(self, reading: Reading) -> Reading:
        """The reading to go on with.

        Raises:
            Reject: there is none.
        """
        raise NotImplementedError

    def state(self) -> Any:
        """What it remembers, as JSON; None if it remembers nothing."""
        return None

    def restore(self, state: Any) -> None:
        """Remember what `state` once gave."""


@register("units")
@dataclass
class Units(Stage):
    """Turns every level into metres."""

    METRES: ClassVar[dict[str, float]] = {"m": 1.0, "cm": 0.01, "ft": 0.3048}

    def apply(self, reading: Reading) -> Reading:
        level = round(reading["level"] * self.METRES[reading["unit"]], 4)
        return reading | {"level": level, "unit": "m"}


@register("range")
@dataclass
class Range(Stage):
    """Rejects levels that no river has."""

    low: float = -5.0
    high: float = 30.0

    def apply(self, reading: Reading) -> Reading:
        if not self.low <= reading["level"] <= self.high:
            raise Reject("range", f"{reading['level']} is not between {self.low} and {self.high}")
        return reading


@register("gaps")
@dataclass
class Gaps(Stage):
    """Flags a reading that comes long after the one before it."""

    minutes: float = 90
    last: dict[str, datetime.datetime] = field(default_factory=dict, init=False)

    def apply(self, reading: Reading) -> Reading:
        station, time = reading["station"], reading["time"]
        before = self.last.get(station)
        self.last[station] = time
        if before is not None and time - before > datetime.timedelta(minutes=self.minutes):
            return reading | {"flags": [*reading["flags"], "gap"]}
        return reading

    def state(self) -> Any:
        return {station: time_text(time) for station, time in self.last.items()}

    def restore(self, state: Any) -> None:
        self.last = {station: parse_time(time) for station, time in state.items()}
