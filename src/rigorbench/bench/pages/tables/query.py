"""What tables ask of the results: cells of conditions, and the two shapes of a table.

A table either has a row for each condition (:func:`by_condition`), whose cells are measures of its runs, or rows of
items under conditions (:func:`by_item`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ....base.stats.paired import paired_difference
from ....base.stats.resampling import EQUAL, FEWEST_TASKS, interval, weights
from ....review.pages import words
from ....review.result import PILLAR_TITLES, WEIGHTS
from ...experiment.compare import Comparison, Condition, ConditionGroup, ConditionKey, Effect, Mean
from ...experiment.conditions import GroupRuns, groups
from ...experiment.records import Manifest, RunResult
from ...experiment.values import by_task, value, why
from ..text import experiment as say
from .gather import Gathered
from .table import Column, Table, TableCell, TableRow, cell, with_best

Value = Callable[[RunResult], float | None]
JOINT = "no interval: a joint value over unsolvable tasks and their solvable twins"
_DIGITS = 6

NO_BASELINE = "no baseline among the conditions that are otherwise the same; choose one with --baseline NAME"
_ITSELF = "this is the baseline"
_NO_PAIR = "no task has a value of both"


class GroupData:
    """The conditions that may be in one table (models, or scripted policies), with what their cells need.

    ``runs``: those of each condition that count, without ``twins``, which are part of AQ alone. ``baseline``: the name
    that the user gave; None: the harness "baseline". ``suffix``: of the names of its tables. ``scope``: what the tables
    are about, the first sentence of their captions.
    """

    def __init__(
        self, group: ConditionGroup, of: GroupRuns, gathered: Gathered, baseline: str | None, suffix: str
    ) -> None:
        self.group, self.gathered, self.baseline, self.suffix = group, gathered, baseline, suffix
        self.labels = say.Labels(group)
        self.runs = {c.key: c.runs for c in of.conditions}
        self.twins = {c.key: c.twins for c in of.conditions}
        planned = words.plural(sum(c.planned for c in group.conditions), "run")
        counted = words.count(sum(c.counted for c in group.conditions))
        size = f"{counted} of {planned} on {words.plural(len(group.tasks), 'task')}"
        if on_twins := sum(c.twins for c in group.conditions):
            size += f", in AQ also {words.plural(on_twins, 'run')} on solvable twins"
        who = "Scripted policies, no models: the figures say nothing about any model. " if group.scripted else ""
        exact = "Scores by the letter of the paper (--paper-exact). " if gathered.paper_exact else ""
        common = f" ({self.labels.common})" if self.labels.common else ""
        self.scope = f"{who}{exact}Suite {gathered.manifest.suite}, {size}{common}."

    def runs_for(self, key: ConditionKey, measure: str) -> list[RunResult]:
        """The runs of a condition that a measure rests on: for AQ those on solvable twins as well."""
        return [*self.runs[key], *self.twins[key]] if measure == "AQ" else self.runs[key]

    def baseline_of(self, key: ConditionKey) -> Condition | None:
        """The condition that ``key`` is compared with: it differs in the axis alone, or is ``key`` itself."""
        axis = self.group.axis
        if axis is None:
            alone = self.group.conditions[0]
            return alone if (self.baseline or "baseline") in (alone.key.harness, self.labels.of(alone.key)) else None
        others = [f for f in ConditionKey.__struct_fields__ if f != axis]
        for condition in self.group.conditions:
            if all(getattr(condition.key, f) == getattr(key, f) for f in others):
                name = getattr(condition.key, axis)
                given = self.baseline is not None and self.baseline in (name, self._short(name))
                if given or (self.baseline is None and axis == "harness" and name == "baseline"):
                    return condition
        return None

    def _short(self, name: str) -> str:
        return say.policy(name) if self.group.scripted else name

    def names(self) -> list[str]:
        """What ``--baseline`` can be."""
        axis = self.group.axis
        if axis is None:
            return []
        return list(dict.fromkeys(self._short(getattr(c.key, axis)) for c in self.group.conditions))


def group_data(gathered: Gathered, comparison: Comparison, baseline: str | None) -> list[GroupData]:
    """Models and scripted policies, as far as there are any: they are never in one table."""
    both = len(comparison.groups) > 1
    return [
        GroupData(group, of, gathered, baseline, "-scripted" if group.scripted and both else "")
        for group, of in zip(comparison.groups, groups(gathered.manifest, gathered.results), strict=True)
    ]


# -- tables


class TableSpec(Struct, frozen=True):
    """A table of the report, which is made as one table, or as one for each group. ``stem``: of the names of its
    files."""

    stem: str
    build: Callable[[Gathered, list[GroupData]], list[Table]]


Cells = Callable[[GroupData, Condition, list[RunResult]], list[TableCell]]


class TableMeasure(Struct, frozen=True):
    """Columns of a table, and how to get a condition's cells in them from its runs."""

    columns: list[Column]
    cells: Cells


def mean(
    column: Column,
    of: Value | None = None,
    *,
    because: Callable[[RunResult], str] | None = None,
    among: Callable[[list[RunResult]], list[RunResult]] = lambda runs: runs,
) -> TableMeasure:
    """The mean of a measure over tasks.

    Args:
        of: how to get it from a run; default: the measure that the column is named after.
        because: why a run has no value, for a measure with ``of``.
        among: the runs that it is about.
    """
    return TableMeasure([column], lambda group, _, runs: [entry(group, among(runs), column.name, of, because=because)])


RUNS = TableMeasure([Column("runs", "runs", "count")], lambda _, condition, __: [counted_entry(condition)])


def by_condition(
    stem: str,
    title: str,
    caption: str | Callable[[GroupData], str],
    measures: Sequence[TableMeasure] | Callable[[GroupData], Sequence[TableMeasure]],
    *,
    counted: bool = True,
    **options: Any,
) -> TableSpec:
    """A row for each condition, with its measures; a table for models, and one for scripted policies.

    Args:
        counted: whether the cells rest on all runs of the condition that count.
        options: as of :func:`by_item`.
    """

    def of(group: GroupData) -> Sequence[TableMeasure]:
        return measures(group) if callable(measures) else measures

    def rows(group: GroupData) -> list[TableRow]:
        found = []
        for condition in group.group.conditions:
            runs = group.runs[condition.key]
            cells = [cell for measure in of(group) for cell in measure.cells(group, condition, runs)]
            found.append(TableRow([group.labels.of(condition.key)], cells, len(runs) if counted else None))
        return found

    def columns(group: GroupData) -> list[Column]:
        return [column for measure in of(group) for column in measure.columns]

    return by_item(stem, title, caption, columns, rows, heads=lambda group: [group.labels.column], **options)


def by_item(
    stem: str,
    title: str | Callable[[GroupData], str],
    caption: str | Callable[[GroupData], str],
    columns: Sequence[Column] | Callable[[GroupData], Sequence[Column]],
    rows: Callable[[GroupData], list[TableRow]],
    *,
    heads: Callable[[GroupData], list[str]],
    number: str = "",
    block: int = 0,
    notes: Callable[[GroupData, list[TableRow]], list[str]] = lambda *_: [],
    where: Callable[[GroupData], bool] = lambda _: True,
) -> TableSpec:
    """Rows of items (categories, sub-metrics, tasks), each under the conditions that it is about; a table for models,
    and one for scripted policies, which has no p-values: what was written to differ is no sample.

    Args:
        stem: of its files, and its name in JSON ("table-3").
        caption: goes on after the scope of the group.
        heads: of the columns of labels.
        number: of the paper's table ("III"); empty for a further one.
        block: rows that share so many first labels are compared for the best value of a column.
        where: whether a group has such a table.
    """

    def table(group: GroupData) -> Table:
        shown, found = list(columns(group) if callable(columns) else columns), rows(group)
        if group.group.scripted:
            kept = [n for n, column in enumerate(shown) if column.unit != "p"]
            shown = [shown[n] for n in kept]
            found = [replace(row, entries=[row.entries[n] for n in kept]) for row in found]
        return Table(
            stem + group.suffix,
            number,
            title(group) if callable(title) else title,
            f"{group.scope} {caption(group) if callable(caption) else caption}",
            heads(group),
            shown,
            with_best(found, shown, block),
            notes(group, found),
            group.group.scripted,
        )

    return TableSpec(stem, lambda _, groups: [table(group) for group in groups if where(group)])


# -- cells of runs


def mean_of_tasks(values: Mapping[str, Sequence[float]]) -> tuple[float | None, float | None, float | None]:
    """(mean over tasks of the means over repeats, low, high); the ends are None as in :func:`ends`."""
    if not values:
        return None, None, None
    means = [math.fsum(v) / len(v) for v in values.values()]
    low, high = ends(means)
    return rounded(math.fsum(means) / len(means)), low, high


def ends(means: Sequence[float]) -> tuple[float | None, float | None]:
    """The interval of the mean over tasks of one number per task.

    None with few tasks, and where all are the same: the interval would have no width, but other tasks may differ.
    """
    count = len(means)
    if count < FEWEST_TASKS or max(means) - min(means) <= EQUAL:
        return None, None
    found = interval(weights(count) @ np.array(means) / count, count)
    return (None, None) if found is None else (rounded(found[0]), rounded(found[1]))


def rounded(number: float) -> float:
    # Far below any relevant difference; removes the last bits of float sums.
    return round(number, _DIGITS) + 0.0


def entry(
    group: GroupData,
    runs: Sequence[RunResult],
    measure: str,
    of: Value | None = None,
    *,
    mean: Mean | None = None,
    because: Callable[[RunResult], str] | None = None,
) -> TableCell:
    """The cell of a measure over runs.

    Args:
        of: how to get it from a run, for a measure that the comparison does not have.
        mean: what the comparison found, for AQ, which is more than a mean over tasks.
        because: why a run has no value, for a measure with ``of``.
    """
    values = by_task(runs, of if of is not None else measure)
    reasons = missing_reasons(runs, measure, of, because) if runs else ["no run is counted"]
    share, methods, unknown = evidence(group.gathered, runs, measure)
    found = replace(summary(values, [*reasons, *unknown]), evidence_share=share, methods=methods)
    if mean is not None and measure == "AQ" and values and is_joint(group.gathered.manifest, runs):
        # It may have no value although single runs have one.
        first, number = next(iter(mean.missing_reasons.items()), ("no value", mean.counted))
        known = [JOINT, *reasons] if mean.value is not None else [f"{first}: {words.plural(number, 'run')}"]
        return joint(found, mean.value, [*known, *unknown])
    return found


def summary(values: Mapping[str, Sequence[float]], reasons: Sequence[str] = ()) -> TableCell:
    """The mean over tasks with its interval, or the reason why there is none before the other ``reasons``."""
    number, low, high = mean_of_tasks(values)
    if number is not None and low is None:
        reasons = [no_interval(len(values)), *reasons]
    return TableCell(
        number, low, high, runs=sum(map(len, values.values())), tasks=len(values), reason="; ".join(reasons)
    )


def joint(found: TableCell, number: float | None, reasons: Sequence[str]) -> TableCell:
    """The cell of AQ with Youden's J in place of a mean over tasks."""
    return replace(found, value=number, low=None, high=None, reason="; ".join(reasons))


def is_joint(manifest: Manifest, runs: Iterable[RunResult]) -> bool:
    """Whether AQ of these runs is Youden's J: the manifest says of all their tasks whether they can be solved."""
    tasks = {run.cell.task for run in runs if value(run, "AQ") is not None}
    return all(manifest.task_fact(task, "solvable") is not None for task in tasks)


def no_interval(tasks: int) -> str:
    few = tasks < FEWEST_TASKS
    return f"no interval: fewer than {FEWEST_TASKS} tasks ({tasks})" if few else "no interval: the same on every task"


def missing_reasons(
    runs: Sequence[RunResult],
    measure: str,
    of: Value | None = None,
    because: Callable[[RunResult], str] | None = None,
) -> list[str]:
    """Why runs have no value, with how many, the most frequent first; three of them at most."""
    if of is None:
        found = Counter(why(r, measure) for r in runs if value(r, measure) is None)
    else:
        found = Counter("not recorded" if because is None else because(r) for r in runs if of(r) is None)
    ordered = sorted(found.items(), key=lambda kv: (-kv[1], kv[0]))
    parts = [f"{reason}: {words.plural(n, 'run')}" for reason, n in ordered[:3]]
    rest = sum(n for _, n in ordered[3:])
    return [*parts, f"other reasons: {words.plural(rest, 'run')}"] if rest else parts


def evidence(
    gathered: Gathered, runs: Sequence[RunResult], measure: str
) -> tuple[float | None, dict[str, float], list[str]]:
    """(evidence share, method -> share of the scored weight, what is not known of it) over the runs to which the
    measure applies, including those with too little evidence for a value."""
    if measure == "rigor_score":
        return mean_of_tasks(by_task(runs, "evidence_share"))[0], _methods(gathered, runs), []
    if measure not in PILLAR_TITLES:
        return None, {}, []
    shares: defaultdict[str, list[float]] = defaultdict(list)
    methods: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        pillar = gathered.scores.get(run.cell.id, {}).get(measure)
        if pillar is not None and pillar.evidence_share is not None:
            shares[run.cell.task].append(pillar.evidence_share)
            for name, weight in pillar.methods(measure).items():
                methods[name] += weight
    unknown = Counter(
        gathered.no_evidence[run.cell.id]
        for run in runs
        if run.cell.id in gathered.no_evidence and run.pillar_status.get(measure) != "not_applicable"
    )
    notes = [f"evidence share not known: {reason} ({words.plural(n, 'run')})" for reason, n in sorted(unknown.items())]
    return mean_of_tasks(dict(sorted(shares.items())))[0], _mix(methods), notes


def _methods(gathered: Gathered, runs: Sequence[RunResult]) -> dict[str, float]:
    """The method mix of RigorScores: that of each scored pillar, by the weights of the pillars."""
    methods: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        for name, pillar in gathered.scores.get(run.cell.id, {}).items():
            scored = pillar.methods(name)
            total = sum(scored.values())
            if name in WEIGHTS and total and value(run, name) is not None and run.rigor_score is not None:
                for method, weight in scored.items():
                    methods[method] += WEIGHTS[name][0] * weight / total
    return _mix(methods)


def _mix(methods: Mapping[str, float]) -> dict[str, float]:
    total = sum(methods.values())
    return {name: rounded(weight / total) for name, weight in sorted(methods.items())} if total else {}


def counted_entry(condition: Condition) -> TableCell:
    """The number of runs that count, with a note where not all planned ones do."""
    left_out = say.not_counted(condition)
    reason = f"of {words.plural(condition.planned, 'run')} planned: {left_out}" if left_out else ""
    return TableCell(condition.counted, reason=reason)


# -- cells that compare a condition with its baseline


def baseline_difference(group: GroupData, key: ConditionKey, measure: str) -> tuple[TableCell, TableCell]:
    """The difference of a condition to its baseline, and the adjusted p-value of that."""
    base, empty = from_baseline(group, key)
    if base is None:
        return empty, empty
    pair = next((p for p in group.group.pairs if {p.of, p.minus} == {key, base}), None)
    effect = None if pair is None else pair.effects[measure] if pair.of == key else negated(pair.effects[measure])
    if effect is None or effect.value is None:
        empty = TableCell(None, runs=0, tasks=0, reason=(effect.reason if effect is not None else "") or _NO_PAIR)
        return empty, empty
    found = TableCell(effect.value, effect.low, effect.high, effect.runs, effect.tasks, reason=effect.reason)
    p = cell(effect.p_adjusted, say.untested(effect) or "no difference", runs=effect.runs, tasks=effect.tasks)
    return found, p


def runs_difference(of: Sequence[RunResult], minus: Sequence[RunResult], measure: str | Value) -> TableCell:
    """The difference of a measure between the runs of two conditions, task by task; without a test."""
    found = paired_difference(by_task(of, measure), by_task(minus, measure))
    if found.value is None:
        return TableCell(None, runs=0, tasks=0, reason=_NO_PAIR)
    low, high = (None if end is None else rounded(end) for end in (found.low, found.high))
    return TableCell(rounded(found.value), low, high, runs=found.runs, tasks=found.tasks, reason=found.reason)


def from_baseline(group: GroupData, key: ConditionKey) -> tuple[ConditionKey | None, TableCell]:
    """The baseline of a condition, and the empty cell of one that has none or is it."""
    base = group.baseline_of(key)
    if base is None or base.key == key:
        return None, TableCell(None, reason=NO_BASELINE if base is None else _ITSELF)
    return base.key, TableCell(None)


def relative_change(group: GroupData, key: ConditionKey, measure: str | Value) -> TableCell:
    """By what share a condition's mean is above that of its baseline, over the tasks that both have."""
    base, empty = from_baseline(group, key)
    if base is None:
        return empty
    return change(by_task(group.runs[key], measure), by_task(group.runs[base], measure))


def change(of: Mapping[str, Sequence[float]], base: Mapping[str, Sequence[float]]) -> TableCell:
    """Mean of ``of`` / mean of ``base`` - 1 over the tasks of both, each task as the mean of its repeats; the interval
    resamples tasks."""
    shared = sorted(of.keys() & base.keys())
    if not shared:
        return TableCell(None, runs=0, tasks=0, reason=_NO_PAIR)
    runs = sum(len(of[t]) + len(base[t]) for t in shared)
    first, second = (np.array([math.fsum(side[t]) / len(side[t]) for t in shared]) for side in (of, base))
    below = float(second.sum())
    if below <= 0:
        return TableCell(None, runs=runs, tasks=len(shared), reason="the baseline is 0: nothing to relate it to")
    if len(shared) < FEWEST_TASKS:
        found = None
    else:
        drawn = weights(len(shared))
        over = drawn @ second
        found = interval(np.where(over > 0, drawn @ first / np.where(over > 0, over, 1.0), np.nan) - 1, len(shared))
    value = rounded(float(first.sum()) / below - 1)
    if found is None or found[1] - found[0] <= EQUAL:
        known = len(shared) < FEWEST_TASKS or found is not None
        why = no_interval(len(shared)) if known else "no interval: the baseline is mostly 0"
        return TableCell(value, runs=runs, tasks=len(shared), reason=why)
    return TableCell(value, rounded(found[0]), rounded(found[1]), runs=runs, tasks=len(shared))


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
