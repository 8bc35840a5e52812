"""In which order rows are worked."""

from __future__ import annotations

from . import codes
from .codes import Problem
from .pattern import Pattern

MOST = 9999


def order(pattern: Pattern) -> list[int] | int:
    """The places of the rows in the order of working, or codes.LIMIT if there are too many."""
    worked: list[int] = []
    for place in range(len(pattern.rows)):
        worked.append(place)
        for repeat in pattern.repeats:
            if repeat.after == place:
                worked += list(range(repeat.first, repeat.last + 1)) * min(repeat.times, MOST + 1)
        if len(worked) > MOST:
            return codes.LIMIT
    return worked


def too_many(pattern: Pattern) -> Problem:
    """What to tell of a pattern for which :func:`order` gave codes.LIMIT."""
    line = pattern.repeats[-1].line if pattern.repeats else 0
    return codes.LIMIT, line, 0, f"more than {MOST} rows"
