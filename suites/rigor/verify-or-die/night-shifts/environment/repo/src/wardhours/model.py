"""What a roster consists of."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from .zones import Zone


@dataclass(frozen=True)
class Site:
    """A hospital and the zone that its clocks show."""

    name: str
    zone: Zone


@dataclass(frozen=True)
class Clock:
    """A time that a clock shows. ``again``: written with a ``b``, see rule 7 of docs/rules.md."""

    time: datetime.time
    again: bool = False

    def __str__(self) -> str:
        return f"{self.time:%H:%M}{'b' if self.again else ''}"


@dataclass(frozen=True)
class Shift:
    """One line of the roster: who worked where, from when to when. ``day`` is the day of the start."""

    day: datetime.date
    person: str
    start: Clock
    end: Clock
    site: Site

    @property
    def begins(self) -> datetime.datetime:
        """When it begins, by the clock of the site."""
        return datetime.datetime.combine(self.day, self.start.time)

    @property
    def ends(self) -> datetime.datetime:
        """When it ends, by the clock of the site: on the same day or on the next."""
        day = self.day if self.end.time > self.start.time else self.day + datetime.timedelta(days=1)
        return datetime.datetime.combine(day, self.end.time)

    def __str__(self) -> str:
        return f"{self.day} {self.start}-{self.end} at {self.site.name}"
