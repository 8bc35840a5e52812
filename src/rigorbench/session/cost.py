"""What a session cost: as its log states it, else by the list prices of its models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct, structs

from .model import Trajectory
from .prices import call_price
from .usage import TokenUsage, sum_usage

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


# Where a cost is from: "stated" by the log; "listed": all tokens at list prices; "at least": the tokens that the log
# counts, at list prices.
Basis = Literal["stated", "listed", "at least"]


class Cost(Struct, frozen=True):
    dollars: float
    basis: Basis


def session_cost(trajectory: Trajectory) -> Cost | None:
    """The cost that the log states, else that of its tokens at list prices; None: neither is known."""
    stated = stated_cost(trajectory)
    if stated is not None:
        return Cost(stated, "stated")
    calls = [step for step in trajectory.steps if step.role == "agent"]
    model = trajectory.model
    if trajectory.usage is not None:
        if model is None or len({step.model for step in calls if step.model is not None}) > 1:
            return None
        prices = [call_price(model, trajectory.usage, trajectory.started_at, len(calls))]
    else:
        # Priced together where no price can differ: long prompts cost more from multiples of 8,000 tokens on.
        alike: dict[object, list[tuple[TokenUsage, str, float | None]]] = {}
        for step in calls:
            # A step without tokens is what a program puts in the place of an answer, without having asked a model.
            if (usage := step.usage) is not None and any(counts := structs.astuple(usage)):
                name, moment = step.model or model or "", step.time or trajectory.started_at
                day = None if moment is None else moment // 86_400
                prompt = sum(n or 0 for n in (usage.input, usage.cache_read, usage.cache_write)) // 8_000
                key = (name, day, prompt, *(n is None for n in counts))
                alike.setdefault(key, []).append((usage, name, moment))
        prices = [
            call_price(group[0][1], sum_usage(u for u, _, _ in group) or group[0][0], group[0][2], len(group))
            for group in alike.values()
        ]
    known = [price for price in prices if price is not None]
    if len(known) < len(prices) or sum(known) <= 0:
        return None
    return Cost(math.fsum(known), "listed" if trajectory.usage_complete else "at least")


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
