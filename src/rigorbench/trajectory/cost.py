"""What a session cost, where its log states it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .model import Trajectory

# The totals that readers keep in `extra`.
_TOTALS = ("total_cost_usd", "instance_cost", "cost_usd")


def stated_cost(trajectory: Trajectory) -> float | None:
    """The cost in dollars that the log states; None if it states none.

    A stated 0 is None too: agents write it where they do not know the price of a model.
    """
    extra = trajectory.extra
    stated = [extra.get(name) for name in _TOTALS]
    atif = extra.get("atif")
    if isinstance(atif, Mapping):
        final = atif.get("final_metrics")
        stated.append(final.get("total_cost_usd") if isinstance(final, Mapping) else None)
        steps = atif.get("steps")
        rows = [r for r in steps.values() if isinstance(r, Mapping)] if isinstance(steps, Mapping) else []
        stated.append(sum(c for r in rows if (c := _dollars(r.get("cost_usd"))) is not None))
    return next((dollars for value in stated if (dollars := _dollars(value))), None)


def _dollars(value: Any) -> float | None:
    """None: not an amount."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        return None
    return float(value)
