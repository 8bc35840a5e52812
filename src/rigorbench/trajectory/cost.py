"""What a session cost, where its log says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .readers.shared.values import mapping

# From here on a figure is no cost of a session.
_MOST = 2**53


def stated_cost(extra: Mapping[str, Any]) -> float | None:
    """Dollars, from the totals of mini-swe-agent, SWE-agent, Claude Code or ATIF; None: the log does not say.

    Args:
        extra: of the trajectory.
    """
    totals = mapping(mapping(extra.get("atif")).get("final_metrics"))
    known = [extra.get("instance_cost"), extra.get("total_cost_usd"), totals.get("total_cost_usd")]
    costs = [c for c in known if isinstance(c, int | float) and not isinstance(c, bool) and 0 <= c < _MOST]
    return float(costs[0]) if costs else None
