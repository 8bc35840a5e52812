"""Whether what an agent said of a failure that it repaired is a diagnosis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...evidence.events import AnyEvent, EditEvent
from ..model import Case, Question, Rubric
from ..topic import (
    MOST_CASES,
    Finding,
    SessionView,
    Topic,
    change,
    diff,
    edits_of,
    events_of,
    output,
    printed,
    said,
    words,
)

_SAID = "words of the agent before its change"

_RUBRIC = Rubric(
    kind="diagnosis",
    version=1,
    title="What a coding agent said after a check had failed, and the change that made it pass",
    questions=(
        Question(
            id="cause",
            text="Does the agent name a cause of the failure?",
            yes="It says which part of the program, which value or which condition brings the failure about, so that a "
            "colleague would know where it comes from.",
            no="It only repeats or rewords what the check printed, names nothing but the place where it showed, or "
            "says what it will try.",
        ),
        Question(
            id="shown",
            text="Does the agent point to something it saw that shows this cause?",
            yes="It names a line it read, a value it printed, a command it ran or a comparison it made, and the cause "
            "follows from that.",
            no="It asserts the cause, guesses (probably, maybe, it might be), or names no cause.",
        ),
        Question(
            id="symptom",
            text="Does the change only hide the failure?",
            yes="It catches or silences the error, treats the one input of the check apart, or makes the check weaker, "
            "and what was wrong with the program stays as it was.",
            no="It changes what brought the failure about, or the failing check was itself wrong and is put right.",
        ),
    ),
)


def _case(check: str, told: str, repair: str, *, subject: str, about: str = "", events: Sequence[str] = ()) -> Case:
    excerpts = (*output(check), *words(_SAID, told), *change("change", repair))
    return Case("diagnosis", subject, excerpts, events=tuple(events), about=about)


def _cases(session: SessionView) -> Iterator[Case]:
    """Each failure of the agent's own that it repaired, with what it said before the change that made the check pass.

    Without a word of the agent there is nothing to judge.
    """
    for episode in [e for e in session.episodes if e.resolved == "green" and e.attempt_edits][:MOST_CASES]:
        edits = edits_of(session, episode.attempt_edits[-1])
        red = _last_before(session, episode.checks, edits)
        repair = diff(session, edits)
        if red is None or not repair:
            continue
        told = said(session, red.step, edits[0].step, red.lane)
        if told:
            shown = [red.id, *(e.id for e in edits)]
            yield _case(printed(session, red), told, repair, subject=episode.id, about=episode.signature, events=shown)


def _last_before(session: SessionView, checks: Iterable[str], edits: list[EditEvent]) -> AnyEvent | None:
    """The last of these checks before the first of the edits."""
    first = session.position[edits[0].id] if edits else 0
    before = [e for e in events_of(session, checks) if session.position[e.id] < first]
    return max(before, key=lambda e: session.position[e.id], default=None)


def _estimate(case: Case) -> dict[tuple[str, str | None], bool]:
    """By connectives of reasons and by quotations in what the agent said, and by what silences errors in the change."""
    told, repair = case.text(_SAID), case.text("change")
    added = "\n".join(line for line in repair.splitlines() if line.startswith("+"))
    cause = bool(re.search(r"\b(?:because|since|due to|caused by|so that|which makes)\b", told))
    return {
        ("cause", None): cause,
        ("shown", None): cause and bool(re.search(r"`[^`]+`|\w\.\w{1,4}:\d+", told)),
        ("symptom", None): bool(re.search(r"\b(?:except|catch|skip|noqa|ts-ignore|pass)\b|\|\| true", added)),
    }


TOPIC = Topic(
    rubric=_RUBRIC,
    names=("explanation of a failure", "explanations of failures"),
    cases=_cases,
    findings=(
        Finding(
            id="R-cause-named",
            pillar="recovery",
            severity="strength",
            sentence="Before it repaired a failure the agent named its cause and what shows it, by the panel's votes.",
            did="named the cause of a failure before it repaired it",
            applies="sessions in which a check failed",
            when={"cause": True, "shown": True, "symptom": False},
            message="The cause was named before the repair",
        ),
        Finding(
            id="R-symptom-only",
            pillar="recovery",
            severity="weak",
            sentence="A failure was made to go away without its cause, by the panel's votes.",
            did="silenced a failure without finding its cause",
            applies="sessions in which a check failed",
            when={"symptom": True},
            unless={"cause": True},
            message="Only the symptom was treated",
            advice="Say what causes a failure before you change anything; a change that only silences it is no repair.",
        ),
    ),
    estimate=_estimate,
)
