"""How much of a shift is worked when (docs/rules.md). Everything is counted in minutes."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from .model import Shift

NIGHT_BEGINS = datetime.time(23)
NIGHT_ENDS = datetime.time(6)
_DAY = datetime.timedelta(days=1)
_MIDNIGHT = datetime.time(0)


@dataclass(frozen=True)
class Hours:
    """Minutes in all, and how many of them are at night and on a Sunday."""

    total: int = 0
    night: int = 0
    sunday: int = 0

    def __add__(self, other: Hours) -> Hours:
        return Hours(self.total + other.total, self.night + other.night, self.sunday + other.sunday)


def worked(shift: Shift) -> Hours:
    """All of a shift."""
    return sum(by_day(shift).values(), Hours())


def by_day(shift: Shift) -> dict[datetime.date, Hours]:
    """What is worked on each of the days that the shift touches."""
    found: dict[datetime.date, Hours] = {}
    at = shift.begins
    while at < shift.ends:
        day = at.date()
        midnight = datetime.datetime.combine(day + _DAY, _MIDNIGHT)
        until = min(shift.ends, midnight)
        total = _minutes(at, until)
        found[day] = Hours(total, _night(at, until), total if day.isoweekday() == 7 else 0)
        at = until
    return found


def _night(start: datetime.datetime, end: datetime.datetime) -> int:
    """The minutes of the night between two times of one day (or its end)."""
    day = start.date()
    morning = datetime.datetime.combine(day, NIGHT_ENDS)
    evening = datetime.datetime.combine(day, NIGHT_BEGINS)
    return max(0, _minutes(start, min(end, morning))) + max(0, _minutes(max(start, evening), end))


def _minutes(start: datetime.datetime, end: datetime.datetime) -> int:
    return round((end - start).total_seconds() / 60)
