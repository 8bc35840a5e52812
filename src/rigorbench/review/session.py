"""The review of one session."""

from __future__ import annotations

from ..metrics.session import Session
from .catalogue import fired
from .grades import Conditions, grade, overall_grade, tables
from .model import GRADES, Fired, Grade, Review
from .work import Work

_ORDER = ("flag", "weak", "note", "strength")


def review_session(session: Session) -> Review:
    """Review one session: every check, the grades, and the overall grade."""
    work = Work(session)
    found = [
        Fired(
            check.id,
            check.pillar,
            check.severity,
            seen.message,
            check.advice,
            [e.id for e in seen.events],
            seen.events[0].step if seen.events else None,
            seen.events[0].source if seen.events else None,
        )
        for check, seen in fired(work)
    ]
    found.sort(key=lambda f: (_ORDER.index(f.severity), -1 if f.step is None else f.step, f.id))
    conditions = Conditions(work, {f.id for f in found})
    overall, ladders = tables()
    grades = {
        name: grade(ladders[name], conditions)
        if name in ladders
        else Grade(None, "not_applicable", "nothing had to be asked")
        for name in GRADES
    }
    value, reason, capped_by = overall_grade(overall, grades, conditions)
    return Review(value, reason, work.size, grades, found, capped_by)
