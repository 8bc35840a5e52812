"""Rosters as text: the sites, and one shift in each line."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from .errors import RosterError
from .model import Clock, Shift, Site
from .zones import ZONES

_SITE = re.compile(r"site\s+(\w+)\s*=\s*(\w+)")
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(b?)")


def load(path: Path) -> list[Shift]:
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> list[Shift]:
    """The shifts of a roster in the order of its lines; blank lines and comments (``#``) are passed over.

    Raises:
        RosterError: a line cannot be used.
    """
    sites: dict[str, Site] = {}
    shifts = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            match = _SITE.fullmatch(line)
            if match is None:
                shifts.append(_shift(line, sites))
            else:
                _add_site(sites, *match.groups())
        except RosterError as error:
            raise RosterError(f"line {number}: {error}") from None
    return shifts


def _add_site(sites: dict[str, Site], name: str, zone: str) -> None:
    if name in sites:
        raise RosterError(f"site {name} is named twice")
    if zone not in ZONES:
        raise RosterError(f"no zone {zone!r}; there are {', '.join(ZONES)}")
    sites[name] = Site(name, ZONES[zone])


def _shift(line: str, sites: dict[str, Site]) -> Shift:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 4:
        raise RosterError(f"expected 4 fields, found {len(fields)}")
    date, person, times, site = fields
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise RosterError(f"not a date: {date!r}") from None
    if not person:
        raise RosterError("nobody works this shift")
    start, dash, end = times.partition("-")
    if not dash:
        raise RosterError(f"expected a start and an end, found {times!r}")
    if site not in sites:
        raise RosterError(f"no site {site!r}")
    return Shift(day, person, _clock(start.strip()), _clock(end.strip()), sites[site])


def _clock(text: str) -> Clock:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise RosterError(f"not a time: {text!r}")
    return Clock(datetime.time(int(match.group(1)), int(match.group(2))), again=bool(match.group(3)))
