"""Hours of shifts in island hospitals, for the pay office."""

from .errors import RosterError
from .hours import Hours, by_day, worked
from .model import Clock, Shift, Site
from .rest import short_rests
from .roster import load, parse
from .sheet import month_sheet

__all__ = [
    "Clock",
    "Hours",
    "RosterError",
    "Shift",
    "Site",
    "by_day",
    "load",
    "month_sheet",
    "parse",
    "short_rests",
    "worked",
]
