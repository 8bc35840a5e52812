"""What the tables of projects share: which runs they are about, and values of a project as values of its run."""

from __future__ import annotations

from collections.abc import Callable

from ...experiment.model import ProjectOutcome, RunResult
from .groups import GroupData
from .measures import Value
from .model import Table
from .spec import ReportData


def per_group_with_projects(table: Callable[[GroupData], Table]) -> Callable[[ReportData], list[Table]]:
    """Builds a table for each group that has runs on projects; without any, the report has no such table."""
    return lambda data: [table(group) for group in data.groups if any(map(project_runs, group.runs.values()))]


def project_runs(runs: list[RunResult]) -> list[RunResult]:
    return [run for run in runs if run.project is not None]


def of_project(value: Callable[[ProjectOutcome], float | None]) -> Value:
    return lambda run: None if run.project is None else value(run.project)


def submitted(project: ProjectOutcome) -> float:
    return float(sum(one.counted for one in project.submissions))
