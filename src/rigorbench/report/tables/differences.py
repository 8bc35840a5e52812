"""Cells that compare a condition with its baseline."""

from __future__ import annotations

from msgspec.structs import replace

from ...experiment.compare import Effect, Key
from .groups import GroupData
from .model import Entry

NO_BASELINE = "no baseline among the conditions that are otherwise the same; choose one with --baseline NAME"
_ITSELF = "this is the baseline"
_NO_PAIR = "no task has a value of both"


def baseline_difference(group: GroupData, key: Key, measure: str) -> tuple[Entry, Entry]:
    """The difference of a condition to its baseline, and the adjusted p-value of that."""
    base = group.baseline_of(key)
    if base is None or base.key == key:
        empty = Entry(None, reason=NO_BASELINE if base is None else _ITSELF)
        return empty, empty
    effect = effect_of(group, key, base.key, measure)
    if effect is None or effect.value is None:
        reason = (effect.reason if effect is not None else "") or _NO_PAIR
        empty = Entry(None, runs=0, tasks=0, reason=reason)
        return empty, empty
    found = Entry(effect.value, effect.low, effect.high, runs=effect.runs, tasks=effect.tasks, reason=effect.reason)
    if effect.p_adjusted is None:
        reason = "no test: too few tasks with both values"
        return found, Entry(None, runs=effect.runs, tasks=effect.tasks, reason=reason)
    return found, Entry(effect.p_adjusted, runs=effect.runs, tasks=effect.tasks)


def effect_of(group: GroupData, of: Key, minus: Key, measure: str) -> Effect | None:
    """The difference of two conditions, in whichever direction the comparison has it."""
    for pair in group.group.pairs:
        effect = pair.effects[measure]
        if (pair.of, pair.minus) == (of, minus):
            return effect
        if (pair.of, pair.minus) == (minus, of):
            return negated(effect)
    return None


def negated(effect: Effect) -> Effect:
    """The same difference in the other direction."""

    def minus(number: float | None) -> float | None:
        return None if number is None else 0.0 - number

    return replace(
        effect,
        value=minus(effect.value),
        low=minus(effect.high),
        high=minus(effect.low),
        size=minus(effect.size),
        wins=effect.losses,
        losses=effect.wins,
    )
