"""Table IV: each pillar under the baseline and under the disciplined conditions together."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from ...experiment.compare import Condition, Key
from ...experiment.conditions import CONTROLS
from ...experiment.model import RunResult
from ...experiment.values import value
from ...metrics.abstention import harness_abstention
from ...metrics.result import PILLAR_TITLES
from ...stats.multiplicity import adjusted
from ...stats.paired import paired_difference
from ..text import words
from .differences import NO_BASELINE
from .groups import GroupData
from .measures import (
    JOINT,
    by_task,
    ends,
    entry,
    evidence,
    is_joint,
    missing_reasons,
    no_interval,
    rounded,
)
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
        found = {measure: _cells(group, base, others, measure) for measure in _MEASURES}
        p = adjusted([cells[3].value for cells in found.values()])  # type: ignore[misc]
        for (measure, name), one in zip(_MEASURES.items(), p, strict=True):
            first, second, difference, raw, effect = found[measure]
            cells = [first, second, difference, raw if one is None else Entry(rounded(one), tasks=raw.tasks), effect]
            label = [_context(group, conditions[0].key)] if len(blocks) > 1 else []
            rows.append(Row([*label, name], cells))
    harness = group.group.axis in (None, "harness")
    if harness:
        who = "Disciplined: all harnesses but the controls (baseline, placebo, nudge)"
    else:
        who = "Others: all conditions but the baseline"
    return TABLE.table(
        f"{who}, pooled within each task as the mean of the conditions' means, so that a condition with "
        "more repeats does not weigh more. The difference is taken within tasks, with the permutation test over tasks "
        "(p adjusted after Holm over the rows) and d, the difference in standard deviations over tasks.",
        [
            Column("baseline", "baseline"),
            Column("disciplined", "disciplined" if harness else "others"),
            Column("difference", "difference", "difference"),
            Column("p", "p", "p"),
            Column("d", "d", "kappa"),
        ],
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


def _cells(group: GroupData, base: Condition | None, others: Sequence[Condition], measure: str) -> list[Entry]:
    """Baseline, disciplined, difference, p (not yet adjusted), d."""
    if base is None:
        return [Entry(None, reason=NO_BASELINE)] * 5
    first = entry(group, group.runs_for(base.key, measure), measure, mean=base.means[measure])
    if not others:
        return [first, *[Entry(None, reason=_NO_OTHERS)] * 4]
    second, values = _pooled(group, others, measure)
    if measure == "AQ" and JOINT in first.reason and JOINT in second.reason:
        gap = rounded(float(second.value) - float(first.value))  # type: ignore[arg-type]
        nothing = Entry(None, reason="no test of a joint value")
        return [first, second, Entry(gap, tasks=second.tasks, reason=JOINT), nothing, nothing]
    if measure == "AQ" and (first.value is None or second.value is None):
        return [first, second, *[Entry(None, reason="one of the two has no value")] * 3]
    of_base = by_task(group.runs_for(base.key, measure), measure)
    found = paired_difference(values, of_base)
    if found.value is None:
        return [first, second, *[Entry(None, runs=0, tasks=0, reason=found.reason)] * 3]
    tasks = found.tasks
    shared = values.keys() & of_base.keys()
    sides = [run for c in (base, *others) for run in group.runs_for(c.key, measure) if run.cell.task in shared]
    runs = sum(value(run, measure) is not None for run in sides)
    left_out = len(set(values) ^ set(of_base))
    reason = f"{words.plural(left_out, 'task')} left out: only one of the two has a value" if left_out else ""
    low, high = (None if end is None else rounded(end) for end in (found.low, found.high))
    difference = Entry(
        rounded(found.value), low, high, runs=runs, tasks=tasks, reason="; ".join(filter(None, [found.reason, reason]))
    )
    no_test = found.reason or "no test"
    p = Entry(found.p, tasks=tasks) if found.p is not None else Entry(None, tasks=tasks, reason=no_test)
    size = rounded(found.effect) if found.effect is not None else None
    return [first, second, difference, p, Entry(size, tasks=tasks, reason="" if size is not None else no_test)]


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
        number, low, high = _joint(group, runs), None, None
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


def _joint(group: GroupData, runs: Sequence[RunResult]) -> float | None:
    """Youden's J over the runs of all the conditions."""
    unsolvable: list[float | None] = []
    twins: list[float] = []
    for run in runs:
        found = value(run, "AQ")
        if group.gathered.manifest.tasks[run.cell.task].facts.get("solvable") in ("impossible", "ambiguous"):
            unsolvable.append(found)
        elif found is not None:
            twins.append(found)
    joint = harness_abstention(unsolvable, twins)
    return None if joint is None else rounded(joint)


TABLE = TableSpec(
    stem="table-4",
    number="IV",
    title="Pillars under the baseline and under the disciplined conditions",
    about="each pillar under the baseline and under the disciplined conditions pooled, and the difference",
    build=per_group(_table),
)
