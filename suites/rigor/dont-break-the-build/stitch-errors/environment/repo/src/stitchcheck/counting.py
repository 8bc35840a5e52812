"""Whether rows come out."""

from __future__ import annotations

from . import codes
from .codes import Problem
from .order import order, too_many
from .pattern import Pattern, Row
from .stitches import STITCHES


def work(row: Row, have: int) -> int:
    """How many stitches a row leaves; -1 if there are not enough for it, -2 if some are left over."""
    taken = left = 0
    for name, count in row.steps or []:
        taken += STITCHES[name].takes * count
        left += STITCHES[name].leaves * count
    if taken > have:
        return -1
    if taken < have:
        return -2
    return left


def problem(row: Row, have: int, result: int) -> Problem:
    """What to tell of a row for which :func:`work` gave -1 or -2."""
    taken = sum(STITCHES[name].takes * count for name, count in row.steps or [])
    what = "too few" if result == -1 else "left over"
    return codes.COUNT, row.line, 0, f"takes {taken} of {have} stitches: {abs(have - taken)} {what}"


def check(pattern: Pattern) -> list[Problem]:
    """All problems by line, each line once; a repeat is told for the line of the row that does not come out."""
    found = list(pattern.problems)
    worked = order(pattern)
    if isinstance(worked, int):
        found.append(too_many(pattern))
        worked = list(range(len(pattern.rows)))
    have: int | None = pattern.cast_on or None
    told = {line for _, line, _, _ in found}
    for place in worked:
        row = pattern.rows[place]
        if row.begins is not None:
            if have is not None and have != row.begins and row.line not in told:
                found.append((codes.COUNT, row.line, 0, f"begins with {have} stitches, not {row.begins}"))
                told.add(row.line)
            have = row.begins
        if row.steps is None:
            have = None
            continue
        if have is None:
            continue
        result = work(row, have)
        if result < 0:
            if row.line not in told:
                found.append(problem(row, have, result))
                told.add(row.line)
            have = None
        else:
            have = result
    return sorted(found, key=lambda p: p[1])


def final(pattern: Pattern) -> tuple[int, int, None] | tuple[None, None, Problem]:
    """How many rows are worked and how many stitches are left, or the first problem."""
    problems = [p for p in check(pattern) if p[0] != codes.LIMIT or p[2]]
    if problems:
        return None, None, problems[0]
    worked = order(pattern)
    if isinstance(worked, int):
        return None, None, too_many(pattern)
    have = pattern.cast_on
    for place in worked:
        have = work(pattern.rows[place], have)
    return len(worked), have, None
