"""What the review said of a session, put to labellers: each finding of a check, and the grades of the whole."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence.events import AnyEvent, EditEvent
from ...metrics.session import Session
from ...panel.labels.model import GRADE_STEPS, Sheet, Value
from ...panel.model import Excerpt
from ...review.catalogue import all_checks
from ...review.model import Review
from ...review.session import review_session
from .excerpts import CLOSING, REQUEST, Shown, cut

# Events of a finding, and of a session, that are shown.
_OF_FINDING, _OF_SESSION = 8, 40


def review_sheets(session: Session, name: str) -> Iterator[Sheet]:
    """The sheets of the findings and of the grades. ``name``: of the session."""
    review = review_session(session)
    yield from _findings(session, review, name)
    if any(grade.value is not None for grade in review.grades.values()):
        yield _grades(session, review, name)


def _findings(session: Session, review: Review, name: str) -> Iterator[Sheet]:
    """The words of a check, and the events that it names; whether it is right is to be said by who reads them."""
    evidence = session.evidence
    texts = Shown(evidence)
    for number, found in enumerate(review.checks, 1):
        events = [session.events[session.position[i]] for i in found.events if i in session.position]
        excerpts = [
            Excerpt("what the user asked for", cut(evidence.prompt.text, REQUEST)),
            Excerpt("kind of finding", all_checks()[found.id].sentence, untrusted=False),
            Excerpt("finding", found.message),
            *(e for event in events[:_OF_FINDING] if (e := texts.excerpt(event)) is not None),
        ]
        if evidence.closing:
            excerpts.append(Excerpt("the agent's last message", cut(evidence.closing, CLOSING)))
        yield Sheet(
            kind="finding",
            session=name,
            subject=f"{found.id} {number}",
            excerpts=tuple(excerpts),
            events=tuple(found.events),
            model=evidence.trajectory.model,
            found={"right": True},
        )


def _grades(session: Session, review: Review, name: str) -> Sheet:
    """The request, what the agent changed and checked, and its last message; no grade is shown."""
    evidence = session.evidence
    all_of_it: list[AnyEvent] = list(session.events)
    texts = Shown(evidence)
    parts = [e for event in all_of_it if (e := texts.excerpt(event)) is not None]
    left = len(parts) - _OF_SESSION
    if left > 0:
        note = Excerpt("left out", f"{left} edits and checks between", untrusted=False)
        parts = [*parts[: _OF_SESSION // 2], note, *parts[-_OF_SESSION // 2 :]]
    first = next((e.step for e in all_of_it if isinstance(e, EditEvent)), len(evidence.trajectory.steps))
    words = "\n\n".join(s.text for s in evidence.trajectory.steps[: first + 1] if s.role == "agent" and s.text.strip())
    excerpts = [Excerpt("what the user asked for", cut(evidence.prompt.text, REQUEST))]
    if words:
        excerpts.append(Excerpt("what the agent said before its first edit", cut(words, REQUEST)))
    excerpts += parts
    if evidence.closing:
        excerpts.append(Excerpt("the agent's last message", cut(evidence.closing, CLOSING)))
    grades = {"overall": review.overall, **{n: g.value for n, g in review.grades.items() if n != "abstention"}}
    found: dict[str, Value] = {n: _step(value) for n, value in grades.items() if value is not None}
    return Sheet(
        kind="grades",
        session=name,
        subject="review",
        excerpts=tuple(excerpts),
        model=evidence.trajectory.model,
        found=found,
    )


def _step(value: int) -> int:
    """The nearest step of the scale, as people answer it; of two the lower."""
    return min(GRADE_STEPS, key=lambda step: (abs(step - value), step))
