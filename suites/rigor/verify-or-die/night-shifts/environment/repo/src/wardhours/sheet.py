"""The sheet that the pay office gets: the hours of a month for each person."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from .errors import RosterError
from .hours import Hours, by_day
from .model import Shift


def month_sheet(shifts: Iterable[Shift], year: int, month: int) -> dict[str, Hours]:
    """The hours that each person worked in a month; who did not work in it is left out."""
    found: dict[str, Hours] = {}
    for shift in shifts:
        for day, hours in by_day(shift).items():
            if (day.year, day.month) == (year, month):
                found[shift.person] = found.get(shift.person, Hours()) + hours
    return dict(sorted(found.items()))


def write_sheet(sheet: dict[str, Hours]) -> str:
    lines = ["person        hours    night   sunday"]
    for person, hours in sheet.items():
        figures = (write_minutes(minutes).rjust(8) for minutes in (hours.total, hours.night, hours.sunday))
        lines.append(f"{person:<11}{' '.join(figures)}")
    return "\n".join(lines)


def write_minutes(minutes: int) -> str:
    """``450`` as ``7:30``."""
    return f"{minutes // 60}:{minutes % 60:02}"


def parse_month(text: str) -> tuple[int, int]:
    try:
        day = datetime.date.fromisoformat(f"{text}-01")
    except ValueError:
        raise RosterError(f"not a month: {text!r}; write it like 2024-05") from None
    return day.year, day.month
