"""From sub-metrics to pillars, and from pillars to the RigorScore: weighted means that say how much they rest on."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

# Below this share of scored over applicable weight there is no value.
ENOUGH = 0.5


def combine(
    parts: dict[str, tuple[str, float | None, float]], enough: float = ENOUGH
) -> tuple[float | None, float | None]:
    """(value, evidence share) of weighted parts, each (status, value, weight).

    The value is the weighted mean over scored parts, the share is scored / applicable weight. Both are None if no part
    applies; the value is None if the share is below ``enough``.
    """
    applicable = sum(w for status, _, w in parts.values() if status != "not_applicable")
    if not applicable:
        return None, None
    known = [(v, w) for status, v, w in parts.values() if status == "scored" and v is not None]
    weight = sum(w for _, w in known)
    share = rounded(weight / applicable)
    if not known or weight / applicable < enough:
        return None, share
    return rounded(sum(v * w for v, w in known) / weight), share


def rounded(value: float) -> float:
    # Keeps the last bits of float sums out of results; far below any difference that matters.
    return round(value, 6)


def load(function: str) -> Callable[..., Any]:
    """The function that a row names, such as "planning.pac"; imports its module."""
    module, _, name = function.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), name)
    return found
