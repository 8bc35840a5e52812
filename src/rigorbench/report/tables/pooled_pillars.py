"""Table IV: each pillar under the baseline and under the disciplined conditions together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from ...experiment.compare import Condition, Effect, Key, of_abstention, paired_effect, within_reach
from ...experiment.conditions import CONTROLS
from ...experiment.values import value
from ...metrics.abstention import harness_abstention
from ...metrics.result import PILLAR_TITLES
from ...stats.paired import adjusted
from ..text.experiment import FEWEST_FOR_SIZE, untested
from .differences import NO_BASELINE, without_tests
from .groups import GroupData
from .measures import JOINT, by_task, ends, entry, evidence, is_joint, missing_reasons, no_interval, rounded
from .model import Column, Entry, Row, Table
from .spec import TableSpec, per_group

_MEASURES = {"rigor_score": "RigorScore", **{name: f"{name} {title}" for name, title in PILLAR_TITLES.items()}}
_ALONE = "no value without runs on both unsolvable tasks, all of them judged, and solvable twins"
_NO_OTHERS = "no condition besides the baseline and other controls"


def _table(group: GroupData) -> Table:
    blocks = _blocks(group)
    rows: list[Row] = []
    for conditions in blocks:
        base = group.baseline_of(conditions[0].key) if conditions else None
        others = [c for c in conditions if base is not None and c.key != base.key and not _is_control(group, c.key)]
        found = [_cells(group, base, others, measure) for measure in _MEASURES]
        effects = within_reach([effect for _, effect in found])
        p = adjusted([effect.p for effect in effects])
        for name, (cells, _), effect, one in zip(_MEASURES.values(), found, effects, p, strict=True):
            label = [_context(group, conditions[0].key)] if len(blocks) > 1 else []
            rows.append(Row([*label, name], [*cells, *_test(effect, one)]))
    harness = group.group.axis in (None, "harness")
    if harness:
        who = "Disciplined: all conditions but the controls (baseline, placebo, nudge)"
    else:
        who = "Others: all conditions but the baseline"
    columns = [
        Column("baseline", "baseline"),
        Column("disciplined", "disciplined" if harness else "others"),
        Column("difference", "difference", "difference"),
        Column("p", "p", "p"),
        Column("d", "d", "kappa"),
    ]
    test = " with the permutation test over tasks (p adjusted after Holm over the rows) and"
    if group.group.scripted:
        test = " with"
        columns, rows = without_tests(columns, rows)
    return TABLE.table(
        f"{who}, pooled within each task as the mean of the conditions' means, so that a condition with "
        f"more repeats does not weigh more. The difference is taken within tasks,{test} d, the difference in standard "
        "deviations over tasks.",
        columns,
        rows,
        heads=[*(["agent, model"] if len(blocks) > 1 else []), "measure"],
        group=group,
        title=None if harness else "Pillars under the baseline and under the others",
    )


def _blocks(group: GroupData) -> list[list[Condition]]:
    """Conditions that differ in the axis alone."""
    axis = group.group.axis
    found: defaultdict[tuple[str, ...], list[Condition]] = defaultdict(list)
    for condition in group.group.conditions:
        found[tuple(getattr(condition.key, f) for f in Key.__struct_fields__ if f != axis)].append(condition)
    return list(found.values())


def _context(group: GroupData, key: Key) -> str:
    return ", ".join(getattr(key, f) for f in Key.__struct_fields__ if f != group.group.axis)


def _is_control(group: GroupData, key: Key) -> bool:
    return group.group.axis == "harness" and key.harness in CONTROLS


def _cells(
    group: GroupData, base: Condition | None, others: Sequence[Condition], measure: str
) -> tuple[list[Entry], Effect]:
    """The cells of the baseline, of the disciplined and of their difference, and the effect that is tested."""
    if base is None:
        return [Entry(None, reason=NO_BASELINE)] * 3, _no_effect(NO_BASELINE)
    first = entry(group, group.runs_for(base.key, measure), measure, mean=base.means[measure])
    if not others:
        return [first, *[Entry(None, reason=_NO_OTHERS)] * 2], _no_effect(_NO_OTHERS)
    second, values = _pooled(group, others, measure)
    if measure == "AQ" and JOINT in first.reason and JOINT in second.reason:
        gap = rounded(float(second.value) - float(first.value))  # type: ignore[arg-type]
        return [first, second, Entry(gap, tasks=second.tasks, reason=JOINT)], _no_effect("no test of a joint value")
    if measure == "AQ" and (first.value is None or second.value is None):
        reason = "one of the two has no value"
        return [first, second, Entry(None, reason=reason)], _no_effect(reason)
    of_base = by_task(group.runs_for(base.key, measure), measure)
    found = paired_effect(values, of_base)
    if found.value is None:
        return [first, second, Entry(None, runs=0, tasks=0, reason=found.reason)], found
    shared = values.keys() & of_base.keys()
    sides = [run for c in (base, *others) for run in group.runs_for(c.key, measure) if run.cell.task in shared]
    runs = sum(value(run, measure) is not None for run in sides)
    difference = Entry(found.value, found.low, found.high, runs=runs, tasks=found.tasks, reason=found.reason)
    return [first, second, difference], found


def _no_effect(reason: str) -> Effect:
    return Effect(None, None, None, 0, 0, reason)


def _test(effect: Effect, p: float | None) -> list[Entry]:
    """The cells of the adjusted p and of d."""
    tasks = effect.tasks if effect.value is not None else None
    why = effect.reason or "no test"
    tested = (
        Entry(rounded(p), tasks=tasks) if p is not None else Entry(None, tasks=tasks, reason=untested(effect) or why)
    )
    if effect.size is not None and effect.tasks < FEWEST_FOR_SIZE:
        return [tested, Entry(None, tasks=tasks, reason=f"d: only with {FEWEST_FOR_SIZE} tasks or more")]
    size = Entry(None, tasks=tasks, reason=why) if effect.size is None else Entry(rounded(effect.size), tasks=tasks)
    return [tested, size]


def _pooled(group: GroupData, others: Sequence[Condition], measure: str) -> tuple[Entry, dict[str, list[float]]]:
    """The cell of conditions together, and the means of the conditions by task."""
    runs = [run for condition in others for run in group.runs_for(condition.key, measure)]
    values: defaultdict[str, list[float]] = defaultdict(list)
    for condition in others:
        for task, numbers in by_task(group.runs_for(condition.key, measure), measure).items():
            values[task].append(math.fsum(numbers) / len(numbers))
    ordered = dict(sorted(values.items()))
    means = [math.fsum(v) / len(v) for v in ordered.values()]
    share, methods, unknown = evidence(group.gathered, runs, measure)
    number = rounded(math.fsum(means) / len(means)) if means else None
    low, high = ends(means)
    reasons = missing_reasons(runs, measure) if runs else ["no run counts"]
    if measure == "AQ" and ordered and is_joint(group.gathered.manifest, runs):
        joint = harness_abstention(*of_abstention(group.gathered.manifest, runs))
        number, low, high = None if joint is None else rounded(joint), None, None
        reasons = [JOINT if number is not None else _ALONE, *reasons]
    elif number is not None and low is None:
        reasons = [no_interval(len(means)), *reasons]
    counted = sum(value(run, measure) is not None for run in runs)
    cell = Entry(
        number,
        low,
        high,
        runs=counted,
        tasks=len(ordered),
        evidence_share=share,
        methods=methods,
        reason="; ".join([*reasons, *unknown]),
    )
    return cell, ordered


TABLE = TableSpec(
    stem="table-4",
    number="IV",
    title="Pillars under the baseline and under the disciplined conditions",
    about="each pillar under the baseline and under the disciplined conditions pooled, and the difference",
    build=per_group(_table),
)
