"""What the tests of the review share."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from builders import Session
from panel_votes import Rule, give, panel
from rigorbench.metrics.cases import cases
from rigorbench.metrics.score import open_session
from rigorbench.metrics.session import Session as Scored
from rigorbench.reader.model import PILLARS, Accusation, Mark, Reading
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


def known(session: Session | Trajectory) -> dict[str, str]:
    """What is said of each grade of a session that nobody has read."""
    return {name: grade.reason for name, grade in review(session).grades.items()}


def reading(
    overall: int | None = 3, *accusations: Accusation, verdict: str = "The change holds.", **grades: Mark | int | None
) -> Reading:
    """A checked reading: each grade is a mark, or its value; those that are not named have the value 3."""
    named: dict[str, Mark | int | None] = {**dict.fromkeys(PILLARS, 3), "overall": overall, **grades}
    marks = {n: m if isinstance(m, Mark) else Mark(m, f"Of {n}.", ["1"]) for n, m in named.items()}
    return Reading("scripted", None, "0" * 64, 1, 1, marks, {}, list(accusations), [], verdict)
