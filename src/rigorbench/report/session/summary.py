"""The few facts about a session that lists of sessions show."""

from __future__ import annotations

from msgspec import Struct

from ...metrics.result import SessionReport, Status
from ..text.words import agent, model, project


class SessionRow(Struct):
    """One line of a list of sessions. ``pillars``: value of each pillar, None where it has none."""

    source: str
    agent: str
    model: str | None
    project: str | None
    date: str | None
    steps: int
    score: float | None
    evidence_share: float | None
    pillars: dict[str, float | None]
    statuses: dict[str, Status]


def summarise(report: SessionReport) -> SessionRow:
    """The row of a scored session. ``date`` is the ISO time of its start, or of its end where only that is known."""
    header = report.score.trajectory
    return SessionRow(
        source=header.source,
        agent=agent(header),
        model=None if header.model is None else model(header.model),
        project=project(report.trajectory.cwd),
        date=header.started_at or header.ended_at,
        steps=header.steps,
        score=report.score.rigor_score,
        evidence_share=report.score.evidence_share,
        pillars={name: p.value if p.status == "scored" else None for name, p in report.score.pillars.items()},
        statuses={name: p.status for name, p in report.score.pillars.items()},
    )
