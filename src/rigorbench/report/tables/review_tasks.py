"""How the overall grade of a reader and the RigorScore relate on each task."""

from __future__ import annotations

from collections.abc import Sequence

from ...experiment.model import RunResult
from ...stats.correlation import Point, correlations
from .groups import GroupData
from .model import Column, Entry, Row, Table
from .review import grade, is_read, mean_entry, overall
from .spec import TableSpec

_CONSTANT = "all runs of the task have the same grade or the same RigorScore"
# Below it, a correlation within a task says nothing.
_FEWEST_RUNS = 4


def _table(group: GroupData) -> Table:
    runs = [run for found in group.runs.values() for run in found]
    rows = []
    for task in group.group.tasks:
        mine = [run for run in runs if run.cell.task == task]
        if mine:
            points = _points(group, mine)
            few = len(points) < _FEWEST_RUNS
            within = None if few else correlations(points).pooled.spearman
            reason = f"fewer than {_FEWEST_RUNS} runs have both" if few else "" if within is not None else _CONSTANT
            rows.append(_row(group, task, mine, Entry(within, runs=len(points), tasks=1, reason=reason)))
    points = _points(group, runs)
    found = correlations(points).within if points else None
    rho = None if found is None else found.spearman
    reason = "" if rho is not None else "no task has runs that differ in both"
    if rho is not None and found is not None and found.spearman_low is None:
        reason = f"no interval: {found.reason or 'it is the same in every resample'}"
    low, high = (None, None) if found is None else (found.spearman_low, found.spearman_high)
    both = len({p.task for p in points})
    rows.append(_row(group, "all, within tasks", runs, Entry(rho, low, high, len(points), both, reason=reason)))
    return TABLE.table(
        "Overall grade of a reader (of 100, of the runs that were read) and RigorScore of the runs on each task, over "
        "all conditions, and Spearman's rho of the two. They measure different things: the grade needs no task, the "
        "RigorScore does.",
        [
            Column("runs", "runs", "count"),
            Column("overall", "overall grade", "grade"),
            Column("rigor_score", "RigorScore"),
            Column("rho", "rho", "difference"),
        ],
        rows,
        heads=["task"],
        group=group,
    )


def _row(group: GroupData, label: str, runs: Sequence[RunResult], rho: Entry) -> Row:
    scored = mean_entry(runs, lambda run: run.rigor_score, "without a RigorScore")
    return Row([label], [Entry(len(runs)), overall(group, runs), scored, rho], len(runs))


def _points(group: GroupData, runs: Sequence[RunResult]) -> list[Point]:
    found = []
    for run in runs:
        mine = grade(group, run)
        if mine is not None and run.rigor_score is not None:
            found.append(Point(run.cell.task, mine, run.rigor_score))
    return found


TABLE = TableSpec(
    stem="review-tasks",
    title="Review and RigorScore by task",
    about="overall grade and RigorScore of each task, and their correlation within tasks, where runs were read",
    build=lambda data: [_table(group) for group in data.groups if is_read(group)],
)
