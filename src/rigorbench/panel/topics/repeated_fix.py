"""Whether an attempt to repair a failure is in essence one that had failed before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..cases import storable
from ..model import Case, Item, Question, Rubric
from ..topic import MOST_CASES, Finding, SessionView, Topic, change, diff, edits_of, events_of, output, printed

# Characters of one attempt, and attempts of one failure.
_ATTEMPT = 1_200
_MOST = 20

_RUBRIC = Rubric(
    kind="repeated_fix",
    version=1,
    title="The attempts of a coding agent to repair one failure, each of which left the check failing, in their order",
    questions=(
        Question(
            id="again",
            each=True,
            text="Is the attempt in essence the same as an earlier one?",
            yes="An earlier attempt changed the same place to the same effect, be it in other words, another layout or "
            "beside further changes.",
            no="It changes another place, or the same place to another effect; or it only undoes an attempt.",
        ),
        Question(
            id="other",
            each=True,
            text="Does the attempt try something that no earlier one tried?",
            yes="It has a change whose effect on the program none of the earlier ones had.",
            no="All that it does to the program had been tried.",
        ),
    ),
)


def _case(check: str, attempts: Sequence[str], *, subject: str, about: str = "", events: Sequence[str] = ()) -> Case:
    excerpts = (*output(check), *change("first attempt", attempts[0]))
    items = tuple(Item(str(n), storable(text)[:_ATTEMPT]) for n, text in enumerate(attempts[1:_MOST], 1))
    return Case("repeated_fix", subject, excerpts, items, tuple(events), about)


def _cases(session: SessionView) -> Iterator[Case]:
    """Each failure with two failed attempts or more whose text the log has."""
    tried = [e for e in session.episodes if e.failed_attempts > 1]
    for episode in tried[:MOST_CASES]:
        attempts = [diff(session, edits_of(session, ids)) for ids in episode.attempt_edits[: episode.failed_attempts]]
        checks = events_of(session, episode.checks)
        if checks and len(attempts) > 1 and all(attempts):
            shown = [e.id for e in checks[:2]]
            about = episode.signature
            yield _case(printed(session, checks[0]), attempts, subject=episode.id, about=about, events=shown)


TOPIC = Topic(
    rubric=_RUBRIC,
    names=("series of attempts", "series of attempts"),
    cases=_cases,
    findings=(
        Finding(
            id="R-tried-again",
            pillar="recovery",
            severity="weak",
            sentence="An attempt that had failed was made again in essence, by the panel's votes.",
            did="tried a fix again in essence that had already failed",
            applies="sessions with two or more failed attempts at one failure",
            when={"again": True, "other": False},
            message="Tried before, and failed",
            advice="Do not repeat a fix that failed; say why it failed first.",
        ),
    ),
)
