"""The review of one session."""

from __future__ import annotations

from collections.abc import Collection

from ..metrics.session import Session
from ..reader.model import Reading
from .catalogue import findings
from .grades import Conditions, grade, overall_grade, tables
from .model import GRADES, Ended, Grade, Review
from .work import Work


def review_session(session: Session, excluded: Collection[str] = (), reading: Reading | None = None) -> Review:
    """Review one session: every check, the grades, and the overall grade.

    Args:
        excluded: fingerprints of findings that are known to be wrong: they are not there, for the grades neither.
        reading: what a reader says of the session, checked.
    """
    work = Work(session)
    found = findings(work, excluded)
    conditions = Conditions(work, {f.id for f in found})
    overall, ladders = tables()
    grades = {name: grade(ladders[name], conditions) for name in GRADES}
    # What the agent did after the end of a log that is cut off is not known, so nothing is known of the final state.
    trajectory = session.evidence.trajectory
    cut = trajectory.complete is False
    ended: Ended | None = "cut" if cut else trajectory.end
    why = session.why_unscorable or (session.why_no_answer or "the log is cut off" if cut else None)
    if why is not None:
        grades = {n: Grade(None, "unscorable", why, checks=g.checks) for n, g in grades.items()}
        return Review(None, why, None if cut else work.size, grades, found, ended=ended, reading=reading)
    value, reason, capped_by = overall_grade(overall, ladders, grades, conditions)
    return Review(value, reason, work.size, grades, found, capped_by, ended, reading)
