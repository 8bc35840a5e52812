"""The time zones of our sites (docs/zones.md), as fixed rules.

A zone is a ``tzinfo`` like any other: ``datetime(2024, 5, 1, 12, tzinfo=ZONES["central"])`` is noon there. Of a time that
comes twice, ``fold`` says which one is meant.
"""

from __future__ import annotations

import datetime

_HOUR = datetime.timedelta(hours=1)


class Zone(datetime.tzinfo):
    """A zone ``hours`` ahead of UTC in winter, and one hour more in summer if ``summer``."""

    def __init__(self, name: str, hours: int, summer: bool = True) -> None:
        self.name, self.summer = name, summer
        self.winter_offset = hours * _HOUR

    def utcoffset(self, when: datetime.datetime | None) -> datetime.timedelta | None:
        return None if when is None else self.winter_offset + self._shift(when)

    def dst(self, when: datetime.datetime | None) -> datetime.timedelta | None:
        return None if when is None else self._shift(when)

    def tzname(self, when: datetime.datetime | None) -> str | None:
        return self.name

    def fromutc(self, when: datetime.datetime) -> datetime.datetime:
        utc = when.replace(tzinfo=None)
        forward, back = changes(utc.year)
        if not self.summer or not forward <= utc < back:
            later = utc + self.winter_offset
            # The hour after the change in autumn shows what the clock has shown before.
            return later.replace(tzinfo=self, fold=int(self.summer and back <= utc < back + _HOUR))
        return (utc + self.winter_offset + _HOUR).replace(tzinfo=self)

    def _shift(self, when: datetime.datetime) -> datetime.timedelta:
        """What the clock is ahead of winter time when it shows `when`."""
        if not self.summer:
            return datetime.timedelta(0)
        forward, back = changes(when.year)
        as_winter = when.replace(tzinfo=None, fold=0) - self.winter_offset
        in_winter = not forward <= as_winter < back
        in_summer = forward <= as_winter - _HOUR < back
        if in_winter == in_summer:
            # It comes twice, in summer time first; or it is skipped, and `fold` says whose offset is meant (PEP 495).
            in_summer = in_summer != bool(when.fold)
        return _HOUR if in_summer else datetime.timedelta(0)


def changes(year: int) -> tuple[datetime.datetime, datetime.datetime]:
    """When clocks are turned forward and back in a year, in UTC (without a zone)."""
    return _last_sunday(year, 3), _last_sunday(year, 10)


def _last_sunday(year: int, month: int) -> datetime.datetime:
    last = datetime.datetime(year, month, 31, 1)
    return last - datetime.timedelta(days=(last.weekday() + 1) % 7)


ZONES = {
    zone.name: zone
    for zone in (
        Zone("azores", -1),
        Zone("western", 0),
        Zone("central", 1),
        Zone("eastern", 2),
        Zone("iceland", 0, summer=False),
    )
}
