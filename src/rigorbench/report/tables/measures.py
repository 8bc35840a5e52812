"""Cells from runs: means over tasks with their intervals, and the evidence that they rest on."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from ...experiment.compare import Condition, Mean
from ...experiment.model import Manifest, RunResult
from ...experiment.values import value, why
from ...metrics.result import PILLAR_TITLES, WEIGHTS
from ...stats.resampling import FEWEST_TASKS, interval, weights
from ..text import experiment as say
from ..text import words
from .gather import Gathered
from .groups import GroupData
from .model import Entry

Value = Callable[[RunResult], float | None]
JOINT = "no interval: a joint value over unsolvable tasks and their solvable twins"
_DIGITS = 6
_EQUAL = 1e-9


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
    """The interval of the mean over tasks of one number per task.

    None with few tasks, and where all are the same: the interval would have no width, but other tasks may differ.
    """
    count = len(means)
    if count < FEWEST_TASKS or max(means) - min(means) <= _EQUAL:
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
) -> Entry:
    """The cell of a measure over runs.

    Args:
        of: how to get it from a run, for a measure that the comparison does not have.
        mean: what the comparison found, for AQ, which is more than a mean over tasks.
        because: why a run has no value, for a measure with ``of``.
    """
    values = by_task(runs, of if of is not None else measure)
    number, low, high = mean_of_tasks(values)
    reasons = missing_reasons(runs, measure, of, because)
    if mean is not None and measure == "AQ" and values and is_joint(group.gathered.manifest, runs):
        # It may have no value although single runs have one.
        number, low, high = mean.value, None, None
        reasons = [JOINT, *reasons] if number is not None else [_first(mean)]
    elif number is not None and low is None:
        reasons = [no_interval(len(values)), *reasons]
    share, methods, unknown = evidence(group.gathered, runs, measure)
    counted = sum(map(len, values.values()))
    if not runs:
        reasons = ["no run is counted"]
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
    """Whether AQ of these runs is Youden's J: the manifest says of all their tasks whether they can be solved."""
    tasks = {run.cell.task for run in runs if value(run, "AQ") is not None}
    return all(task in manifest.tasks and "solvable" in manifest.tasks[task].facts for task in tasks)


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


def _first(mean: Mean) -> str:
    reason, number = next(iter(mean.missing_reasons.items()), ("no value", mean.counted))
    return f"{reason}: {words.plural(number, 'run')}"


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
        pillar = gathered.evidence.get(run.cell.id, {}).get(measure)
        if pillar is not None and pillar.share is not None:
            shares[run.cell.task].append(pillar.share)
            for name, weight in pillar.methods.items():
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
        for name, pillar in gathered.evidence.get(run.cell.id, {}).items():
            total = sum(pillar.methods.values())
            if name in WEIGHTS and total and value(run, name) is not None and run.rigor_score is not None:
                for method, weight in pillar.methods.items():
                    methods[method] += WEIGHTS[name][0] * weight / total
    return _mix(methods)


def _mix(methods: Mapping[str, float]) -> dict[str, float]:
    total = sum(methods.values())
    return {name: rounded(weight / total) for name, weight in sorted(methods.items())} if total else {}


def counted_entry(condition: Condition) -> Entry:
    """The number of runs that count, with a note where not all planned ones do."""
    left_out = say.not_counted(condition)
    reason = f"of {words.plural(condition.planned, 'run')} planned: {left_out}" if left_out else ""
    return Entry(condition.counted, reason=reason)
