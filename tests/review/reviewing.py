"""What the tests of the review share."""

from __future__ import annotations

from builders import Session
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.review.grades import review_session
from rigorbench.review.reader.reading import PILLARS, Accusation, GradeMark, Reading
from rigorbench.review.review import Review
from rigorbench.review.session import Session as Scored
from rigorbench.review.work import Work
from rigorbench.session.model import Trajectory


def review(session: Session | Trajectory) -> Review:
    return review_session(opened(session))


def opened(session: Session | Trajectory) -> Scored:
    return open_session(session.build() if isinstance(session, Session) else session)


def work(session: Session) -> Work:
    return Work(open_session(session.build()))


def ids(session: Session | Trajectory) -> set[str]:
    return {f.id for f in review(session).checks}


def known(session: Session | Trajectory) -> dict[str, str]:
    """What is said of each grade of a session that nobody has read."""
    return {name: grade.reason for name, grade in review(session).grades.items()}


def reading(
    overall: int | None = 3,
    *accusations: Accusation,
    verdict: str = "The change holds.",
    **grades: GradeMark | int | None,
) -> Reading:
    """A checked reading: each grade is a mark, or its value; those that are not named have the value 3."""
    named: dict[str, GradeMark | int | None] = {**dict.fromkeys(PILLARS, 3), "overall": overall, **grades}
    marks = {n: m if isinstance(m, GradeMark) else GradeMark(m, f"Of {n}.", ["1"]) for n, m in named.items()}
    return Reading("scripted", None, "0" * 64, 1, 1, marks, {}, list(accusations), [], verdict)
