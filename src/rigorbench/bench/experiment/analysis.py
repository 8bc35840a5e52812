"""The further analysis of an experiment: correlations, consistency, transfer, sensitivity to the weights.

Models and scripted policies are analysed separately, as in the comparison. Pressure variants of tasks that also ran
without pressure are left out, and so are runs that broke; solvable twins count only in AQ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...base.stats.consistency import Icc, Passes, icc, passes
from ...base.stats.correlation import RESAMPLES, Correlations, RunPair, correlations, untested
from ...base.stats.resampling import LEVEL, SEED
from ...base.stats.sensitivity import Sensitivity, sensitivity
from ...base.stats.transfer import Transfer, transfer
from ...review.result import WEIGHTS
from ..rigorscore.abstention import harness_abstention
from .compare import of_abstention
from .conditions import ConditionRuns, GroupRuns, groups
from .records import ConditionKey, Manifest, RunResult
from .values import by_task, digits, value

SCHEMA = "rigor-analysis/1"
RelationKind = Literal["process-outcome", "effort-process", "effort-outcome"]

PROCESS, OUTCOME = "rigor_score", "outcome"
EFFORT = ("tokens", "model_calls", "seconds", "cost")
# Measures whose repeats are compared.
REPEATED = (PROCESS, OUTCOME)
# With more points each draw of tasks takes longer, and fewer draws are enough.
_MANY_POINTS = 2_000
# The largest k of pass@k; longer tables would not be read.
_MOST_K = 10


class Relation(Struct, frozen=True):
    """The correlation of two measures of the same runs, over all conditions of a group: ``y`` against ``x``."""

    kind: RelationKind
    x: str
    y: str
    correlations: Correlations


class Consistency(Struct, frozen=True):
    """How alike the repeats of a condition are: ICC by measure, pass@k and pass^k for each k there are repeats for."""

    key: ConditionKey
    icc: dict[str, Icc]
    passes: list[Passes]


class GroupAnalysis(Struct):
    """``conditions``: by the names that ``transfer`` and ``sensitivity`` use."""

    scripted: bool
    conditions: dict[str, ConditionKey]
    relations: list[Relation]
    consistency: list[Consistency]
    transfer: Transfer
    sensitivity: Sensitivity


class Analysis(Struct):
    """``resamples``: draws of tasks behind the interval of a correlation (a quarter of it with very many runs)."""

    schema: str
    groups: list[GroupAnalysis]
    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL


def analyse(manifest: Manifest, results: Iterable[RunResult]) -> Analysis:
    """The analysis of each group of conditions, in the order of the comparison."""
    found = Analysis(SCHEMA, [_group(manifest, group) for group in groups(manifest, results)])
    return msgspec.convert(digits(msgspec.to_builtins(found)), Analysis)


def names(keys: Iterable[ConditionKey]) -> dict[str, ConditionKey]:
    """Conditions by a name of each: "react / baseline / provider/model"."""
    return {" / ".join((key.agent, key.harness, key.model)): key for key in keys}


def _group(manifest: Manifest, group: GroupRuns) -> GroupAnalysis:
    runs = [run for condition in group.conditions for run in condition.runs]
    conditions = names(c.key for c in group.conditions)
    of = dict(zip(conditions, (c.runs for c in group.conditions), strict=True))
    kinds: list[tuple[RelationKind, str, str]] = [("process-outcome", PROCESS, OUTCOME)]
    kinds += [("effort-process", effort, PROCESS) for effort in EFFORT]
    kinds += [("effort-outcome", effort, OUTCOME) for effort in EFFORT]
    category = {task: found for task in manifest.tasks if (found := manifest.task_text(task, "category"))}
    relations = [_relation(runs, x, y) for _, x, y in kinds]
    carried = transfer({name: _task_means(runs, PROCESS) for name, runs in of.items()}, category)
    if group.scripted:  # they are no sample: nothing about them is tested
        relations, carried = [untested(r) for r in relations], replace(carried, p=None)
    return GroupAnalysis(
        group.scripted,
        conditions,
        [Relation(*kind, found) for kind, found in zip(kinds, relations, strict=True)],
        [_consistency(condition) for condition in group.conditions],
        carried,
        _sensitivity(manifest, of, {n: c.twins for n, c in zip(conditions, group.conditions, strict=True)}),
    )


def _relation(runs: list[RunResult], x: str, y: str) -> Correlations:
    points = [
        RunPair(run.cell.task, first, second)
        for run in runs
        if (first := value(run, x)) is not None and (second := value(run, y)) is not None
    ]
    return correlations(points, resamples=RESAMPLES if len(points) <= _MANY_POINTS else RESAMPLES // 4)


def _consistency(condition: ConditionRuns) -> Consistency:
    solved = {task: [v == 1.0 for v in found] for task, found in by_task(condition.runs, "solved").items()}
    most = min(_MOST_K, max(map(len, solved.values()), default=0))
    return Consistency(
        condition.key,
        {measure: icc(by_task(condition.runs, measure)) for measure in REPEATED},
        [passes(solved, k) for k in range(1, most + 1)],
    )


def _task_means(runs: list[RunResult], measure: str) -> dict[str, float]:
    return {task: sum(found) / len(found) for task, found in by_task(runs, measure).items()}


def _sensitivity(
    manifest: Manifest, runs: Mapping[str, list[RunResult]], on_twins: Mapping[str, list[RunResult]]
) -> Sensitivity:
    """Pillars of conditions, each over the tasks on which all conditions have a value.

    AQ is Youden's J over unsolvable tasks and twins, as everywhere for a condition.
    """
    present = [name for name, found in runs.items() if any(value(run, PROCESS) is not None for run in found)]
    table: dict[str, dict[str, float]] = {name: {} for name in present}
    left_out: dict[str, str] = {}
    for pillar in WEIGHTS:
        means = {
            name: _task_means([*runs[name], *(on_twins[name] if pillar == "AQ" else ())], pillar) for name in present
        }
        common = set.intersection(*(set(found) for found in means.values())) if means else set()
        if pillar == "AQ":
            found = {
                key: harness_abstention(*of_abstention(manifest, ((t, values[t]) for t in sorted(common))))
                for key, values in means.items()
            }
        else:
            found = {
                key: sum(values[t] for t in sorted(common)) / len(common) if common else None
                for key, values in means.items()
            }
        for key, mean in found.items():
            if mean is None:
                twins = " that are unsolvable, and on twins of them" if pillar == "AQ" and common else ""
                left_out[pillar] = f"the conditions have no values on the same tasks{twins}"
            else:
                table[key][pillar] = mean
    weights = {pillar: weight for pillar, (weight, _) in WEIGHTS.items()}
    return sensitivity(table, weights, left_out=left_out)
