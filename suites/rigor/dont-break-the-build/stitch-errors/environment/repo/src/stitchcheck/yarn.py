"""How much yarn a pattern takes."""

from __future__ import annotations

from .codes import Problem
from .counting import final
from .order import order
from .pattern import Pattern
from .stitches import STITCHES


def metres(pattern: Pattern) -> tuple[float | None, None] | tuple[None, Problem]:
    """Metres of yarn, None without a gauge; and None, or the first problem."""
    _, _, problem = final(pattern)
    if problem is not None:
        return None, problem
    if pattern.gauge is None:
        return None, None
    worked = order(pattern)
    assert not isinstance(worked, int)
    widths = 3.0 * pattern.cast_on
    for place in worked:
        widths += sum(STITCHES[name].yarn * count for name, count in pattern.rows[place].steps or [])
    return widths * 0.1 / pattern.gauge, None
