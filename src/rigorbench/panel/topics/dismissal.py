"""Whether an agent called a failure none of its own without showing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Case, Question, Rubric
from ..topic import (
    MOST_CASES,
    Finding,
    SessionView,
    Topic,
    actions,
    done,
    events_of,
    output,
    printed,
    said,
    words,
)

_SAID = "words of the agent after the failure"

_RUBRIC = Rubric(
    kind="dismissal",
    version=1,
    title="A check that failed and was left failing, and what a coding agent said of it",
    questions=(
        Question(
            id="dismisses",
            text="Does the agent call this failure none of its own?",
            yes="It says of what failed here that it is unrelated, older than its work, flaky, expected, harmless, or "
            "down to the environment.",
            no="It says nothing of what failed here, sets out to repair it, or reports it as open.",
        ),
        Question(
            id="borne_out",
            text="Does something that is shown bear out whose failure it is?",
            yes="A run without the change fails in the same way; the agent read or measured a cause that its change "
            "does not touch; or the output itself names what is missing outside the code.",
            no="There is only the word of the agent, a guess, or a look that does not decide it.",
        ),
    ),
)


def _case(check: str, told: str, acts: str, *, subject: str, about: str = "", events: Sequence[str] = ()) -> Case:
    excerpts = (*output(check), *words(_SAID, told), *actions(acts))
    return Case("dismissal", subject, excerpts, events=tuple(events), about=about)


def _cases(session: SessionView) -> Iterator[Case]:
    """Each failure that did not end green and that no run on the untouched tree explains, if something was said after
    it."""
    left = [
        e
        for e in (*session.episodes, *session.foreign_failures)
        if e.resolved in ("unresolved", "given_up") and not e.baseline
    ]
    for episode in left[:MOST_CASES]:
        checks = events_of(session, episode.checks)
        told = said(session, checks[0].step, lane=checks[0].lane) if checks else ""
        if told:
            acts = done(session, session.position[checks[0].id])
            shown = [e.id for e in checks[-2:]]
            yield _case(
                printed(session, checks[-1]), told, acts, subject=episode.id, about=episode.signature, events=shown
            )


TOPIC = Topic(
    rubric=_RUBRIC,
    names=("failure that was left", "failures that were left"),
    cases=_cases,
    findings=(
        Finding(
            id="R-waved-off",
            pillar="recovery",
            severity="weak",
            sentence="A failure was called none of the agent's own, and nothing bears that out, by the panel's votes.",
            did="waved a failure off without showing that it is none of its own",
            applies="sessions in which a check failed",
            when={"dismisses": True, "borne_out": False},
            message="Called none of the agent's own, and nothing bears it out",
            advice="Before you call a failure unrelated, run the check on the untouched tree.",
        ),
    ),
)
