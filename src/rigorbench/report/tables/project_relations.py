"""Projects: what goes with a high final score, over problems, and over the runs of the same problem."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from ...experiment.model import ProjectOutcome, RunResult
from ...stats.correlation import Correlation, Point, correlations
from .groups import GroupData
from .measures import Value
from .model import Column, Entry, Row, Table
from .of_projects import of_project, per_group_with_projects, project_runs, submitted
from .spec import TableSpec


def _complexity(project: ProjectOutcome) -> float | None:
    return None if project.size is None else project.size.complexity


def _lines(project: ProjectOutcome) -> float | None:
    return None if project.size is None else project.size.lines


def _local_wrong(project: ProjectOutcome) -> float | None:
    """The share of submissions on which the agent's own tests had passed that did not pass at the judge."""
    green = [s for s in project.submissions if s.local == "passed" and s.verdict is not None]
    return sum(s.verdict != "accepted" for s in green) / len(green) if green else None


_MEASURES: dict[str, Value] = {
    "turns": lambda run: run.model_calls,
    "tokens": lambda run: run.metered,
    "submissions": of_project(submitted),
    "cyclomatic complexity": of_project(_complexity),
    "lines": of_project(_lines),
    "own tests green, verdict not": of_project(_local_wrong),
}


def _final(run: RunResult) -> float | None:
    return None if run.project is None else run.project.final


def _table(group: GroupData) -> Table:
    runs = [run for found in group.runs.values() for run in project_runs(found)]
    rows = []
    for name, measure in _MEASURES.items():
        points = [
            Point(run.cell.task, x, y)
            for run in runs
            if (x := measure(run)) is not None and (y := _final(run)) is not None
        ]
        over = correlations(_problem_means(points)).pooled
        within = correlations(points).within
        rows.append(Row([name], [_rho(over), Entry(over.n), _rho(within), Entry(within.n)], len(points)))
    return TABLE.table(
        "Spearman's rho with the final score. Over problems: each problem is one point, the mean of its runs under all "
        "conditions, as it is published; it says that hard problems take longer. Within problems: runs ranked among "
        "those of the same problem; it says whether long runs end worse. 95 % interval by resampling problems.",
        [
            Column("over", "over problems", "number"),
            Column("problems", "problems", "count"),
            Column("within", "within problems", "number"),
            Column("runs", "runs", "count"),
        ],
        rows,
        heads=["measure"],
        group=group,
    )


def _problem_means(points: list[Point]) -> list[Point]:
    found: defaultdict[str, list[Point]] = defaultdict(list)
    for point in points:
        found[point.task].append(point)
    return [Point(task, fmean(p.x for p in own), fmean(p.y for p in own)) for task, own in sorted(found.items())]


def _rho(found: Correlation) -> Entry:
    if found.spearman is None:
        return Entry(None, runs=found.n, tasks=found.tasks, reason=found.reason or "not defined")
    low, high = found.spearman_low, found.spearman_high
    return Entry(round(found.spearman, 6), low, high, found.n, found.tasks)


TABLE = TableSpec(
    stem="projects-relations",
    title="What goes with the final score of projects",
    about="of projects: Spearman's rho of turns, tokens, submissions, complexity and lines with the final score, over "
    "problems and within problems",
    build=per_group_with_projects(_table),
)
