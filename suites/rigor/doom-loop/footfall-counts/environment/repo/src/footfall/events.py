"""What a gate has seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class Event:
    """One visitor who passed a gate. ``number``: given by the gate; ``time``: UTC."""

    gate: str
    number: int
    time: datetime
    direction: str


@dataclass(frozen=True)
class Log:
    """The events of one log, in the order in which they were sent."""

    name: str
    gate: str
    offset: timedelta
    events: tuple[Event, ...]
