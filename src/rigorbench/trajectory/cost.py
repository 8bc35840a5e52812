"""What a session cost, where its log states it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .model import Trajectory

# The totals that readers keep in `extra`; COST is the one that they make themselves.
COST = "cost_usd"
_TOTALS = ("total_cost_usd", "instance_cost", COST)


def stated_cost(trajectory: Trajectory) -> float | None:
    """The cost in dollars that the log states; None if it states none.

    A stated 0 is None too: agents write it where they do not know the price of a model.
    """
    extra = trajectory.extra
    totals = [extra.get(name) for name in _TOTALS]
    atif = extra.get("atif")
    if isinstance(atif, Mapping):
        final, steps = atif.get("final_metrics"), atif.get("steps")
        totals.append(final.get("total_cost_usd") if isinstance(final, Mapping) else None)
        rows = steps.values() if isinstance(steps, Mapping) else ()
        totals.append(_sum(row.get(COST) for row in rows if isinstance(row, Mapping)))
    return next((dollars for total in totals if (dollars := _dollars(total)) is not None), None)


def keep_cost(trajectory: Trajectory, amounts: Iterable[Any]) -> None:
    """Keeps the sum of the dollars that a log states for the parts of a session; nothing where it states none."""
    total = _sum(amounts)
    if total is not None:
        trajectory.extra[COST] = total


def _sum(amounts: Iterable[Any]) -> float | None:
    known = [dollars for amount in amounts if (dollars := _dollars(amount)) is not None]
    return math.fsum(known) if known else None


def _dollars(value: Any) -> float | None:
    """None: not an amount."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        return None
    return float(value)
