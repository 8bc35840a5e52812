"""Cells from runs: means over tasks with their intervals, and the evidence that they rest on."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from ...experiment.compare import Comparison, Condition, Group, Key, Mean
from ...experiment.model import Manifest, RunResult
from ...experiment.values import value, why
from ...metrics.result import PILLAR_TITLES, WEIGHTS
from ...stats.resampling import FEWEST_TASKS, interval, weights
from ..text import experiment as say
from ..text import words
from ..text.cells import Entry
from .gather import Gathered

Value = Callable[[RunResult], float | None]
CONTROLS = ("baseline", "placebo", "nudge")
NO_BASELINE = "no baseline among the conditions that differ from this one in nothing else; --baseline NAME names one"
ITSELF = "this is the baseline"
JOINT = "no interval: a joint value over unsolvable tasks and their solvable twins"
_DIGITS = 6
_EQUAL = 1e-9


class Part(Struct):
    """The conditions that may stand in one table (models, or scripted policies), with what their cells need.

    ``runs``: those of each condition that count; pressure variants of tasks that were run plainly are left out.
    ``suffix``: of the names of its tables. ``baseline``: the name that the user gave, None: the harness "baseline".
    """

    group: Group
    labels: say.Labels
    runs: dict[Key, list[RunResult]]
    gathered: Gathered
    baseline: str | None
    suffix: str
    scope: str

    def label(self, key: Key) -> str:
        return self.labels.of(key)

    def baseline_of(self, key: Key) -> Condition | None:
        """The condition that ``key`` is compared with: it differs from it in the axis alone, or is it itself."""
        axis = self.group.axis
        if axis is None:
            alone = self.group.conditions[0]
            return alone if (self.baseline or "baseline") in (alone.key.harness, self.label(alone.key)) else None
        others = [f for f in Key.__struct_fields__ if f != axis]
        for condition in self.group.conditions:
            if all(getattr(condition.key, f) == getattr(key, f) for f in others):
                name = getattr(condition.key, axis)
                wanted = self.baseline is not None and self.baseline in (name, self._short(name))
                if wanted or (self.baseline is None and axis == "harness" and name == "baseline"):
                    return condition
        return None

    def _short(self, name: str) -> str:
        return say.policy(name) if self.group.scripted else name

    def names(self) -> list[str]:
        """What ``--baseline`` can be."""
        axis = self.group.axis
        return (
            []
            if axis is None
            else list(dict.fromkeys(self._short(getattr(c.key, axis)) for c in self.group.conditions))
        )


def parts(gathered: Gathered, comparison: Comparison, baseline: str | None) -> list[Part]:
    """A part for each group of conditions that may be compared: models and scripted policies never share one."""
    runs: defaultdict[Key, list[RunResult]] = defaultdict(list)
    known = {cell.id for cell in gathered.manifest.cells}
    for result in gathered.results:
        cell = result.cell
        if result.status != "error" and cell.id in known and not is_variant(gathered.manifest, cell.task):
            runs[Key(cell.agent, cell.harness, cell.model)].append(result)
    both = len(comparison.groups) > 1
    found = []
    for group in comparison.groups:
        planned = sum(c.planned for c in group.conditions)
        counted = sum(c.counted for c in group.conditions)
        size = f"{words.count(counted)} of {words.plural(planned, 'run')} on {words.plural(len(group.tasks), 'task')}"
        who = "Scripted policies, no models: the figures say nothing about any model. " if group.scripted else ""
        labels = say.Labels(group)
        common = f" ({labels.common})" if labels.common else ""
        found.append(
            Part(
                group,
                labels,
                {c.key: runs[c.key] for c in group.conditions},
                gathered,
                baseline,
                "-scripted" if group.scripted and both else "",
                f"{who}Suite {gathered.manifest.suite}, {size}{common}.",
            )
        )
    return found


def is_variant(manifest: Manifest, task: str) -> bool:
    """Whether a task is a pressure variant of one that the experiment has as it is, too."""
    subject = manifest.tasks.get(task)
    return subject is not None and subject.facts.get("plain") in manifest.tasks


def by_task(runs: Iterable[RunResult], of: str | Value) -> dict[str, list[float]]:
    """Task -> the values of its runs that have one, tasks in order."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        number = value(run, of) if isinstance(of, str) else of(run)
        if number is not None:
            found[run.cell.task].append(number)
    return dict(sorted(found.items()))


def mean_of_tasks(values: Mapping[str, Sequence[float]]) -> tuple[float | None, float | None, float | None]:
    """(mean over tasks of the means over repeats, low, high); the ends are None as in :func:`ends`."""
    if not values:
        return None, None, None
    means = [math.fsum(v) / len(v) for v in values.values()]
    low, high = ends(means)
    return rounded(math.fsum(means) / len(means)), low, high


def ends(means: Sequence[float]) -> tuple[float | None, float | None]:
    """The interval of the mean of one number a task, over tasks; None where there are few, or where they are all the
    same: from them it would have no width, and tasks that were not run may differ."""
    count = len(means)
    if count < FEWEST_TASKS or max(means) - min(means) <= _EQUAL:
        return None, None
    found = interval(weights(count) @ np.array(means) / count, count)
    return (None, None) if found is None else (rounded(found[0]), rounded(found[1]))


def rounded(number: float) -> float:
    # Far below any difference that matters; frees the text of the last bits of float sums.
    return round(number, _DIGITS) + 0.0


def entry(
    part: Part,
    runs: Sequence[RunResult],
    measure: str,
    of: Value | None = None,
    *,
    mean: Mean | None = None,
) -> Entry:
    """The cell of a measure over runs. ``of``: how to take it from a run, where it is none of the comparison's;
    ``mean``: what the comparison found, for AQ, which is more than a mean over tasks."""
    values = by_task(runs, of if of is not None else measure)
    number, low, high = mean_of_tasks(values)
    reasons = lacking(runs, measure, of)
    if mean is not None and measure == "AQ" and values and is_joint(part.gathered.manifest, runs):
        # It may have no value where single runs have one.
        number, low, high = mean.value, None, None
        reasons = [JOINT, *reasons] if number is not None else [_first(mean)]
    elif number is not None and low is None:
        reasons = [no_interval(len(values)), *reasons]
    share, methods, unknown = evidence(part.gathered, runs, measure)
    counted = sum(map(len, values.values()))
    if not runs:
        reasons = ["no run counts"]
    return Entry(
        number,
        low,
        high,
        runs=counted,
        tasks=len(values),
        evidence_share=share,
        methods=methods,
        reason="; ".join([*reasons, *unknown]),
    )


def is_joint(manifest: Manifest, runs: Iterable[RunResult]) -> bool:
    """Whether AQ of these runs is Youden's J: the manifest tells of all their tasks whether they can be solved."""
    tasks = {run.cell.task for run in runs if value(run, "AQ") is not None}
    return all(task in manifest.tasks and "solvable" in manifest.tasks[task].facts for task in tasks)


def no_interval(tasks: int) -> str:
    few = tasks < FEWEST_TASKS
    return f"no interval: fewer than {FEWEST_TASKS} tasks ({tasks})" if few else "no interval: the same on every task"


def lacking(runs: Sequence[RunResult], measure: str, of: Value | None = None) -> list[str]:
    """Why runs have no value, with how many, the most frequent first; three of them at most."""
    if of is None:
        found = Counter(why(r, measure) for r in runs if value(r, measure) is None)
    else:
        found = Counter("not recorded" for r in runs if of(r) is None)
    ordered = sorted(found.items(), key=lambda kv: (-kv[1], kv[0]))
    parts = [f"{reason}: {words.plural(n, 'run')}" for reason, n in ordered[:3]]
    rest = sum(n for _, n in ordered[3:])
    return [*parts, f"other reasons: {words.plural(rest, 'run')}"] if rest else parts


def _first(mean: Mean) -> str:
    reason, number = next(iter(mean.lacking.items()), ("no value", mean.counted))
    return f"{reason}: {words.plural(number, 'run')}"


def evidence(
    gathered: Gathered, runs: Sequence[RunResult], measure: str
) -> tuple[float | None, dict[str, float], list[str]]:
    """(evidence share, method -> share of the scored weight, what is not known of it) over the runs to which the
    measure applies, those too little evidenced for a value included."""
    if measure == "rigor_score":
        return mean_of_tasks(by_task(runs, "evidence_share"))[0], _methods(gathered, runs), []
    if measure not in PILLAR_TITLES:
        return None, {}, []
    shares: defaultdict[str, list[float]] = defaultdict(list)
    methods: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        pillar = gathered.evidence.get(run.cell.id, {}).get(measure)
        if pillar is not None and pillar.share is not None:
            shares[run.cell.task].append(pillar.share)
            for name, weight in pillar.methods.items():
                methods[name] += weight
    unknown = Counter(
        gathered.lacking[run.cell.id]
        for run in runs
        if run.cell.id in gathered.lacking and run.pillar_status.get(measure) != "not_applicable"
    )
    notes = [f"evidence share not known: {reason} ({words.plural(n, 'run')})" for reason, n in sorted(unknown.items())]
    return mean_of_tasks(dict(sorted(shares.items())))[0], _mix(methods), notes


def _methods(gathered: Gathered, runs: Sequence[RunResult]) -> dict[str, float]:
    """The method mix of RigorScores: that of each scored pillar, by the weights of the pillars."""
    methods: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        for name, pillar in gathered.evidence.get(run.cell.id, {}).items():
            total = sum(pillar.methods.values())
            if name in WEIGHTS and total and value(run, name) is not None and run.rigor_score is not None:
                for method, weight in pillar.methods.items():
                    methods[method] += WEIGHTS[name][0] * weight / total
    return _mix(methods)


def _mix(methods: Mapping[str, float]) -> dict[str, float]:
    total = sum(methods.values())
    return {name: rounded(weight / total) for name, weight in sorted(methods.items())} if total else {}
