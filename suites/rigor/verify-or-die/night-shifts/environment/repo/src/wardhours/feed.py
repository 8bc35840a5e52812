"""The shifts for the calendar program, with all times in UTC."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from .model import Shift


def feed(shifts: Iterable[Shift]) -> str:
    """One line for each shift: start, end, person and site."""
    return "\n".join(
        f"{_utc(shift.begins, shift)} {_utc(shift.ends, shift)} {shift.person} {shift.site.name}" for shift in shifts
    )


def _utc(when: datetime.datetime, shift: Shift) -> str:
    moment = when.replace(tzinfo=shift.site.zone).astimezone(datetime.timezone.utc)
    return f"{moment:%Y%m%dT%H%MZ}"
