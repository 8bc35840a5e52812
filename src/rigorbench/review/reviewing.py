"""The review of one session."""

from __future__ import annotations

from collections.abc import Collection

from .catalogue import findings
from .grades import NEEDS_READER, read_grades, unread_grades
from .model import GRADES, Ended, Grade, Review
from .reader.model import Reading
from .session import Session
from .work import Work


def review_session(session: Session, excluded: Collection[str] = (), reading: Reading | None = None) -> Review:
    """Review one session: every check, and the grades of a reading, or what is known of each of them without one.

    Args:
        excluded: fingerprints of findings that are known to be wrong: they are not there.
        reading: what a reader says of the session.
    """
    work = Work(session)
    found = findings(work, excluded)
    # What the agent did after the end of a log that is cut off is not known, so nothing is known of the final state.
    trajectory = session.evidence.trajectory
    cut = trajectory.complete is False
    size = None if cut else work.size
    ended: Ended | None = "cut" if cut and trajectory.end in (None, "completed") else trajectory.end
    if reading is not None:
        overall, grades = read_grades(reading)
        return Review(overall.value, overall.reason, size, grades, found, ended, reading)
    why = session.why_unscorable or (session.why_no_answer or "the log is cut off" if cut else None)
    if why is not None:
        return Review(None, why, size, {n: Grade(None, "unscorable", why) for n in GRADES}, found, ended)
    return Review(None, NEEDS_READER, size, unread_grades(work, {f.id for f in found}), found, ended)
