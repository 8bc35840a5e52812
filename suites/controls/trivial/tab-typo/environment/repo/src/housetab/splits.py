"""Whose share of an expense is how much."""

from __future__ import annotations

from .model import Split, TabError


def shares(split: Split, cents: int) -> dict[str, int]:
    """The share of each person in cents, in the order in which the split names them."""
    if split.kind == "equal":
        return _equal(split, cents)
    if split.kind == "weights":
        return _weights(split, cents)
    return _percent(split, cents)


def _equal(split: Split, cents: int) -> dict[str, int]:
    share = round(cents / len(split.people))
    return {name: share for name in split.people}


def _weights(split: Split, cents: int) -> dict[str, int]:
    weights = {name: _weight(name, part) for name, part in split.parts}
    total = sum(weights.values())
    if total == 0:
        raise TabError("all weights are 0")
    return {name: round(cents * weight / total) for name, weight in weights.items()}


def _percent(split: Split, cents: int) -> dict[str, int]:
    percentages = {}
    total = 0.0
    for name, part in split.parts:
        percentages[name] = _percentage(name, part)
        total += percentages[name]
    if total != 100:
        raise TabError(f"the percentages add up to {total}, not to 100")
    return {name: round(cents * percentage / 100) for name, percentage in percentages.items()}


def _weight(name: str, part: str) -> int:
    if not part.isdecimal():
        raise TabError(f"the weight of {name} is no whole number: {part!r}")
    return int(part)


def _percentage(name: str, part: str) -> float:
    try:
        value = float(part)
    except ValueError:
        raise TabError(f"the percentage of {name} is no number: {part!r}") from None
    if not 0 <= value <= 100:
        raise TabError(f"the percentage of {name} is not between 0 and 100: {part}")
    return value
