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
    cut = session.evidence.trajectory.complete is False
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
        if not (cut and check.of_the_end)
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
    # What the agent did after the end of a log that is cut off is not known, so nothing is known of the final state.
    why = session.why_unscorable or (session.why_no_answer or "the log is cut off" if cut else None)
    if why is not None:
        grades = {n: Grade(None, "unscorable", why, checks=g.checks) for n, g in grades.items()}
        return Review(None, why, None if cut else work.size, grades, found)
    value, reason, capped_by = overall_grade(overall, ladders, grades, conditions)
    return Review(value, reason, work.size, grades, found, capped_by)
