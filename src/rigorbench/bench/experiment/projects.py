"""The projects of an experiment: points, review and effort of each condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean

from msgspec import Struct

from .conditions import ConditionRuns, counts, groups
from .records import ConditionKey, Manifest, RunResult


class ProjectMeans(Struct, frozen=True):
    """A condition over its projects: means over the projects of the means over the repeats.

    ``execution``, ``review``, ``final``: of 100; a run that submitted nothing has an execution of 0; one that broke
    does not count. None if the judge or the review gave no value for a run. ``execution_at``: the best of the first k
    submissions. ``submissions`` (counted ones), ``turns`` (model calls) and ``tokens`` (metered): per run.
    """

    key: ConditionKey
    projects: int
    runs: int
    execution: float | None
    review: float | None
    final: float | None
    execution_at: list[float | None]
    submissions: float
    turns: float | None
    tokens: float | None


def project_means(manifest: Manifest, results: Sequence[RunResult]) -> list[ProjectMeans]:
    """One row for each condition that was run on projects, in the order of the comparison; none without projects."""
    known = {result.cell.task for result in results if result.project is not None}
    chosen = [result for result in results if result.cell.task in known]
    return [_means(c) for group in groups(manifest, chosen) for c in group.conditions] if chosen else []


def _means(condition: ConditionRuns) -> ProjectMeans:
    runs: dict[str, list[RunResult]] = {}
    # A run that broke says nothing of its agent; one that the agent crashed counts.
    for run in filter(counts, condition.done.values()):
        runs.setdefault(run.cell.task, []).append(run)
    longest = max((len(r.project.execution_at) for r in condition.runs if r.project is not None), default=0)

    def mean(value: Callable[[RunResult], float | None]) -> float | None:
        """None if a run has no value: the mean over the others would be one of other projects."""
        found = [[value(run) for run in each] for each in runs.values()]
        known = [[v for v in each if v is not None] for each in found]
        return fmean(map(fmean, known)) if known and all(map(len, found)) and known == found else None

    def part(name: str) -> Callable[[RunResult], float | None]:
        return lambda run: 0.0 if run.project is None else getattr(run.project, name)

    return ProjectMeans(
        condition.key,
        len(runs),
        sum(len(each) for each in runs.values()),
        mean(part("execution")),
        mean(part("review")),
        mean(part("final")),
        [mean(partial(_at, k=k)) for k in range(longest)],
        mean(lambda run: 0.0 if run.project is None else len(run.project.counted)) or 0.0,
        mean(lambda run: run.model_calls),
        mean(lambda run: run.metered),
    )


def _at(run: RunResult, *, k: int) -> float | None:
    """The best of the first ``k`` + 1 submissions, or of all if there are fewer."""
    curve = run.project.execution_at if run.project is not None else []
    return curve[min(k, len(curve) - 1)] if curve else 0.0
