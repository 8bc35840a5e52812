"""Cells that compare a condition with its baseline."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from ...experiment.compare import Effect, Key
from ...experiment.model import RunResult
from ...stats.paired import paired_difference
from ...stats.resampling import FEWEST_TASKS, interval, weights
from ..text import experiment as say
from .groups import GroupData
from .measures import Value, by_task, no_interval, rounded
from .model import Column, Entry, Row

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
        reason = say.untested(effect) or "no difference"
        return found, Entry(None, runs=effect.runs, tasks=effect.tasks, reason=reason)
    return found, Entry(effect.p_adjusted, runs=effect.runs, tasks=effect.tasks)


def runs_difference(of: Sequence[RunResult], minus: Sequence[RunResult], measure: str | Value) -> Entry:
    """The difference of a measure between the runs of two conditions, task by task; without a test."""
    found = paired_difference(by_task(of, measure), by_task(minus, measure))
    if found.value is None:
        return Entry(None, runs=0, tasks=0, reason=_NO_PAIR)
    low, high = (None if end is None else rounded(end) for end in (found.low, found.high))
    return Entry(rounded(found.value), low, high, runs=found.runs, tasks=found.tasks, reason=found.reason)


def from_baseline(group: GroupData, key: Key) -> tuple[Key | None, Entry]:
    """The baseline of a condition, and the empty cell of one that has none or is it."""
    base = group.baseline_of(key)
    if base is None or base.key == key:
        return None, Entry(None, reason=NO_BASELINE if base is None else _ITSELF)
    return base.key, Entry(None)


def relative_change(group: GroupData, key: Key, measure: str | Value) -> Entry:
    """By what share a condition's mean is above that of its baseline, over the tasks that both have."""
    base, empty = from_baseline(group, key)
    if base is None:
        return empty
    return change(by_task(group.runs[key], measure), by_task(group.runs[base], measure))


def change(of: Mapping[str, Sequence[float]], base: Mapping[str, Sequence[float]]) -> Entry:
    """Mean of ``of`` / mean of ``base`` - 1 over the tasks of both, each task as the mean of its repeats; the interval
    resamples tasks."""
    shared = sorted(of.keys() & base.keys())
    if not shared:
        return Entry(None, runs=0, tasks=0, reason=_NO_PAIR)
    runs = sum(len(of[t]) + len(base[t]) for t in shared)
    first, second = (np.array([math.fsum(side[t]) / len(side[t]) for t in shared]) for side in (of, base))
    below = float(second.sum())
    if below <= 0:
        return Entry(None, runs=runs, tasks=len(shared), reason="the baseline is 0: nothing to relate it to")
    if len(shared) < FEWEST_TASKS:
        found = None
    else:
        drawn = weights(len(shared))
        over = drawn @ second
        found = interval(np.where(over > 0, drawn @ first / np.where(over > 0, over, 1.0), np.nan) - 1, len(shared))
    value = rounded(float(first.sum()) / below - 1)
    if found is None or found[1] - found[0] <= 1e-9:
        known = len(shared) < FEWEST_TASKS or found is not None
        why = no_interval(len(shared)) if known else "no interval: the baseline is mostly 0"
        return Entry(value, runs=runs, tasks=len(shared), reason=why)
    return Entry(value, rounded(found[0]), rounded(found[1]), runs=runs, tasks=len(shared))


def without_tests(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """A table of scripted policies: no p-values, since what was written to differ is no sample."""
    kept = [n for n, column in enumerate(columns) if column.unit != "p"]
    return [columns[n] for n in kept], [replace(row, entries=[row.entries[n] for n in kept]) for row in rows]


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
