"""The few facts about a session that lists of sessions show."""

from __future__ import annotations

from msgspec import Struct

from ...review.model import GradeStatus, Size
from ...review.score import ReviewedSession
from ..text.words import agent, model, project


class SessionRow(Struct):
    """One line of a list of sessions.

    Attributes:
        overall: the overall grade; None if there is too little evidence.
        grades: value of each grade, None where it has none; ``statuses``: why.
        flags: ids of the flags, one for each occurrence.
        weak: how many weak checks fired.
    """

    source: str
    agent: str
    model: str | None
    project: str | None
    date: str | None
    steps: int
    overall: int | None
    size: Size | None
    grades: dict[str, int | None]
    statuses: dict[str, GradeStatus]
    flags: list[str]
    weak: int


def summarise(report: ReviewedSession) -> SessionRow:
    """The row of a reviewed session. ``date``: the ISO time of its start, or of its end where only that is known."""
    header, review = report.score.trajectory, report.review
    return SessionRow(
        source=header.source,
        agent=agent(header),
        model=None if header.model is None else model(header.model),
        project=project(report.trajectory.cwd),
        date=header.started_at or header.ended_at,
        steps=header.steps,
        overall=review.overall,
        size=review.size,
        grades={name: grade.value for name, grade in review.grades.items()},
        statuses={name: grade.status for name, grade in review.grades.items()},
        flags=[c.id for c in review.checks if c.severity == "flag"],
        weak=sum(c.severity == "weak" for c in review.checks),
    )
