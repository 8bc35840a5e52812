"""What the tests of the review share."""

from __future__ import annotations

from builders import Session
from rigorbench.metrics.score import open_session
from rigorbench.review.model import Review
from rigorbench.review.session import review_session
from rigorbench.review.work import Work
from rigorbench.trajectory.model import Trajectory


def review(session: Session | Trajectory) -> Review:
    return review_session(open_session(session.build() if isinstance(session, Session) else session))


def work(session: Session) -> Work:
    return Work(open_session(session.build()))


def ids(session: Session | Trajectory) -> set[str]:
    return {f.id for f in review(session).checks}


def values(session: Session | Trajectory) -> dict[str, int | None]:
    """The grades by name, the overall grade among them."""
    found = review(session)
    return {name: grade.value for name, grade in found.grades.items()} | {"overall": found.overall}
