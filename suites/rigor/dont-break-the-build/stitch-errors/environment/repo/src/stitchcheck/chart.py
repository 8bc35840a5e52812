"""Rows as signs."""

from __future__ import annotations

from collections.abc import Iterator

from .codes import Problem
from .counting import problem, work
from .order import order, too_many
from .pattern import Pattern, Row
from .stitches import STITCHES, sign


def chart(pattern: Pattern) -> Iterator[tuple[str, None] | tuple[None, Problem]]:
    """The rows in the order of working, a text and None each; the first problem ends it, as None and the problem."""
    general = [p for p in pattern.problems if p[1] == 0]
    if general:
        yield None, general[0]
        return
    worked = order(pattern)
    if isinstance(worked, int):
        yield None, too_many(pattern)
        return
    have = pattern.cast_on
    for number, place in enumerate(worked, 1):
        row = pattern.rows[place]
        if row.steps is None:
            yield None, next(p for p in pattern.problems if p[1] == row.line)
            return
        left = work(row, have)
        if left < 0:
            yield None, problem(row, have, left)
            return
        yield f"{number:4d} {signs(row)}", None
        have = left


def signs(row: Row) -> str:
    """The signs of a row; stitches that leave two show their sign twice."""
    text = ""
    for name, count in row.steps or []:
        text += (sign(name) or " ") * max(STITCHES[name].leaves, 1) * count
    return text.rstrip()
