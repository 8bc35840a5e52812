"""Whether people had enough rest between their shifts (rule 6 of docs/rules.md)."""

from __future__ import annotations

from collections.abc import Iterable

from .model import Shift
from .sheet import write_minutes

MINIMUM = 11 * 60


def short_rests(shifts: Iterable[Shift]) -> list[tuple[Shift, Shift, int]]:
    """Pairs of shifts that followed each other with less than the minimum between them, and the minutes between them.

    The minutes are negative where shifts overlap.
    """
    people: dict[str, list[Shift]] = {}
    for shift in shifts:
        people.setdefault(shift.person, []).append(shift)
    found = []
    for person in sorted(people):
        mine = sorted(people[person], key=lambda shift: shift.begins)
        for before, after in zip(mine, mine[1:], strict=False):
            rest = round((after.begins - before.ends).total_seconds() / 60)
            if rest < MINIMUM:
                found.append((before, after, rest))
    return found


def write_rests(found: list[tuple[Shift, Shift, int]]) -> str:
    lines = []
    for before, after, rest in found:
        between = f"{write_minutes(rest)} between" if rest >= 0 else f"overlap of {write_minutes(-rest)}:"
        lines.append(f"{after.person}: {between} {before} and {after}")
    return "\n".join(lines) or "enough rest for everybody"
