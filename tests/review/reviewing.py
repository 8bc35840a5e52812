"""What the tests of the review share."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from builders import Session
from panel_votes import Rule, give, panel
from rigorbench.metrics.cases import cases
from rigorbench.metrics.score import open_session
from rigorbench.metrics.session import Session as Scored
from rigorbench.review.model import Review
from rigorbench.review.session import review_session
from rigorbench.review.work import Work
from rigorbench.trajectory.model import Trajectory


def review(session: Session | Trajectory, rule: Rule | None = None) -> Review:
    """The review of a session; ``rule``: how a panel votes on everything that it can be asked."""
    return review_session(opened(session, rule))


def opened(session: Session | Trajectory, rule: Rule | None = None) -> Scored:
    trajectory = session.build() if isinstance(session, Session) else session
    if rule is None:
        return open_session(trajectory)
    with TemporaryDirectory() as directory:
        store = give(panel(Path(directory)), cases(open_session(trajectory)), rule)
        return open_session(trajectory, votes=store)


def work(session: Session) -> Work:
    return Work(open_session(session.build()))


def ids(session: Session | Trajectory, rule: Rule | None = None) -> set[str]:
    return {f.id for f in review(session, rule).checks}


def values(session: Session | Trajectory) -> dict[str, int | None]:
    """The grades by name, the overall grade among them."""
    found = review(session)
    return {name: grade.value for name, grade in found.grades.items()} | {"overall": found.overall}
