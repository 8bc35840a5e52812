"""Rows about projects: their columns of a run, their submissions and failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .documents import CodeSizeFile, ProjectFile

_COLUMNS = (
    *("execution", "code_review", "final", "submissions", "verdicts", "hints"),
    *("best_submission", "first_pass_turn", "unsubmitted"),
    *("files", "lines", "complexity", "failure_modes"),
)


def project_columns(project: ProjectFile | None) -> dict[str, Any]:
    """The columns of a run that only projects have."""
    if project is None:
        return dict.fromkeys(_COLUMNS)
    counted = [one for one in project.submissions if one.counted]
    size = project.size or CodeSizeFile()
    values = (
        *(project.execution, project.review, project.final, len(counted)),
        [one.verdict or "none" for one in counted],
        sum(one.text is not None for one in project.hints),
        project.best,
        next((one.turn for one in counted if one.points == 100), None),
        project.unsubmitted,
        *(size.files, size.lines, size.complexity),
        list(dict.fromkeys(one.kind for one in project.failures)),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def task_columns(facts: Mapping[str, Any]) -> tuple[str | None, bool | None]:
    """(difficulty, starter) of a task by the facts of the manifest."""
    project = facts.get("project")
    if not isinstance(project, Mapping):
        return None, None
    difficulty, starter = project.get("difficulty"), project.get("starter")
    return difficulty if isinstance(difficulty, str) else None, starter if isinstance(starter, bool) else None


def submission_rows(experiment: str, run: str, project: ProjectFile) -> Iterable[tuple[Any, ...]]:
    best: float | None = None
    for one in {s.number: s for s in project.submissions}.values():
        points = one.points
        if one.counted and points is not None:
            best = points if best is None else max(best, points)
        seconds = one.time if one.time is not None and one.time >= 0 else None
        yield (
            *(experiment, run, one.number, seconds, one.turn, one.verdict),
            *(points, best, one.counted, one.local, one.revision),
        )


def failure_rows(experiment: str, run: str, project: ProjectFile) -> Iterable[tuple[Any, ...]]:
    for number, one in enumerate(project.failures, 1):
        yield (experiment, run, number, one.kind, one.submission, one.evidence)


def hint_rows(experiment: str, run: str, project: ProjectFile) -> Iterable[tuple[Any, ...]]:
    for one in {h.number: h for h in project.hints}.values():
        seconds = one.time if one.time is not None and one.time >= 0 else None
        yield (
            *(experiment, run, one.number, one.source, one.group, one.question, one.text),
            *(seconds, one.turn, one.before, one.after),
        )
