"""The few facts about a session that lists of sessions show."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from msgspec import Struct, field

from ...session.cost import Basis, session_cost
from ..grades import NOTHING_PROVEN
from ..review import Fired, GradeStatus, Severity, Size
from ..reviewed import ReviewedSession
from ..verdict import verdict
from . import words
from .project import repository
from .title import titled

UNTITLED = "(no request in the log)"


class RowCheck(Struct):
    """A check that fired in a session. ``message``: of its first occurrence; ``times``: how many there were."""

    id: str
    severity: Severity
    message: str
    advice: str | None
    times: int = 1


class SessionRow(Struct):
    source: str
    id: str
    title: str | None
    """The user's first request; None if the log has none."""
    agent: str
    """With its version."""
    agent_name: str
    model: str | None
    project: str | None
    root: str | None
    """Path of the repository, as far as the log names a directory."""
    date: str | None
    """ISO time of the start, or of the end where only that is known."""
    seconds: float | None
    cost: float | None
    """In dollars."""
    steps: int
    overall: int | None
    size: Size | None
    grades: dict[str, int | None]
    statuses: dict[str, GradeStatus]
    facts: dict[str, str]
    verdict: str
    flags: list[str]
    """Ids, one for each occurrence."""
    weak: int
    cost_basis: Basis | None = None
    checks: list[RowCheck] = field(default_factory=list)
    """All that fired, each once."""
    reader: str | None = None
    """None: nobody read the session, so it has no grades."""
    changed: float | None = None
    """When the log file was last changed, in epoch seconds, for logs in the folder of their agent."""

    @property
    def moment(self) -> float | None:
        """When it began, in epoch seconds: by its log; else when the file was last changed, if that is known."""
        stated = words.epoch(self.date)
        return self.changed if stated is None else stated

    @property
    def day(self) -> datetime.date | None:
        """The day on which it began (UTC), by :attr:`moment`; None: not known."""
        began = words.utc(self.moment)
        return None if began is None else began.date()

    @property
    def week(self) -> datetime.date | None:
        """The Monday of the week in which it began; None: not known."""
        return None if self.day is None else self.day - datetime.timedelta(days=self.day.weekday())


def summarise(report: ReviewedSession) -> SessionRow:
    header, review = report.score.trajectory, report.review
    cost = session_cost(report.trajectory)
    root = None if report.trajectory.cwd is None else repository(report.trajectory.cwd)
    return SessionRow(
        source=header.source,
        id=header.id,
        title=titled(report.trajectory)[0],
        agent=words.agent(header),
        agent_name=header.agent or "unknown agent",
        model=None if header.model is None else words.model(header.model),
        project=words.project(root),
        root=root,
        date=header.started_at or header.ended_at,
        seconds=words.lasted(report.trajectory),
        cost=None if cost is None else cost.dollars,
        cost_basis=None if cost is None else cost.basis,
        steps=header.steps,
        overall=review.overall,
        size=review.size,
        grades={name: grade.value for name, grade in review.grades.items()},
        statuses={name: grade.status for name, grade in review.grades.items()},
        facts={name: grade.reason for name, grade in review.grades.items() if grade.reason != NOTHING_PROVEN},
        verdict=verdict(review).sentence,
        flags=[c.id for c in review.checks if c.severity == "flag"],
        weak=sum(c.severity == "weak" for c in review.checks),
        checks=_checks(review.checks),
        reader=None if review.reading is None else review.reading.reader,
    )


def _checks(fired: Iterable[Fired]) -> list[RowCheck]:
    found: dict[str, RowCheck] = {}
    for f in fired:
        if f.id in found:
            found[f.id].times += 1
        else:
            found[f.id] = RowCheck(f.id, f.severity, f.message, f.advice)
    return list(found.values())
