"""Checks of recovery: what the agent did when something failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.text import count
from ...evidence.events import AnyEvent, EditEvent, EpisodeEvent, ReadEvent, RunEvent, SearchEvent
from ..registry import Seen, check
from ..work import Work

# So many failures of one check with nothing new looked at are a loop.
BLIND = 4


def events_of(work: Work, episode: EpisodeEvent) -> list[AnyEvent]:
    wanted = {episode.id, *episode.checks}
    return [e for e in work.events if e.id in wanted]


@check(
    "R-loop",
    pillar="recovery",
    severity="weak",
    sentence="The same check failed four times or more with edits between, and nothing new was looked at.",
    applies="sessions in which a check failed",
    advice="After two failed attempts, stop editing: read the error, measure, and find the cause.",
    blind="What the agent thought without writing it down.",
)
def loop(work: Work) -> Iterator[Seen]:
    for episode in work.episodes:
        streak = longest_blind_streak(work, [e for e in work.checks_of(episode) if work.red(e)])
        if len(streak) >= BLIND:
            yield Seen(f"Failed {len(streak)} times, and nothing new was looked at: {episode.signature}", streak)


def longest_blind_streak(work: Work, red: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The longest series of failures between which the agent only edited: nothing read, searched or measured."""
    best: list[AnyEvent] = []
    streak: list[AnyEvent] = []
    for event in red:
        if streak:
            between = work.events[work.at[streak[-1].id] + 1 : work.at[event.id]]
            edited = any(isinstance(e, EditEvent) for e in between)
            looked = any(isinstance(e, ReadEvent | SearchEvent | RunEvent) for e in between)
            if looked or not edited:
                streak = [] if looked else streak[:-1]
        streak.append(event)
        best = max(best, list(streak), key=len)
    return best


@check(
    "R-same-fix",
    pillar="recovery",
    severity="weak",
    sentence="A fix that had failed was tried again in essence.",
    applies="sessions with two or more failed attempts at one failure",
    advice="Do not repeat a fix that failed; say why it failed first.",
    blind="Repetitions in other words or at another place.",
)
def same_fix(work: Work) -> Iterator[Seen]:
    for episode in work.episodes:
        if episode.repeats:
            yield Seen(
                f"{count(episode.repeats, 'attempt')} repeated an earlier one: {episode.signature}",
                events_of(work, episode),
            )


@check(
    "R-baseline",
    pillar="recovery",
    severity="strength",
    sentence="A failure was shown to be there without the change, by running the check on the untouched tree.",
    applies="sessions in which a check failed",
    blind="Baselines whose output is not in the log.",
)
def baseline(work: Work) -> Iterator[Seen]:
    for episode in work.session.foreign_failures:
        if episode.attributed == "existing" and episode.baseline:
            runs = [e for e in work.events if e.id in episode.baseline]
            yield Seen(
                f"Fails on the untouched tree as well: {episode.signature}", [*runs, *work.checks_of(episode)[:1]]
            )


@check(
    "R-diagnosed",
    pillar="recovery",
    severity="strength",
    sentence="After a failure the agent read the cause before it changed anything, and its first change repaired it.",
    applies="sessions in which a check failed",
    blind="Whether what was read was the cause.",
)
def diagnosed(work: Work) -> Iterator[Seen]:
    for episode in work.episodes:
        checks = work.checks_of(episode)
        if episode.resolved != "green" or episode.attempts != 1 or len(checks) < 2 or not episode.attempt_edits:
            continue
        low, high = work.at[checks[0].id], min(work.at[i] for i in episode.attempt_edits[0])
        looked = [e for e in work.events[low:high] if isinstance(e, ReadEvent | SearchEvent)]
        if looked:
            yield Seen(
                f"Read the cause, then repaired at once: {episode.signature}", [checks[0], looked[0], checks[-1]]
            )


@check(
    "R-dismissed",
    pillar="recovery",
    severity="weak",
    sentence="A failure was left with a word, and neither a baseline run nor a cause shows that it is not the agent's.",
    applies="sessions in which a check failed",
    advice="Before you call a failure unrelated, run the check on the untouched tree.",
    blind="Causes that were found without a command.",
)
def dismissed(work: Work) -> Iterator[Seen]:
    for episode in work.episodes:
        if episode.resolved == "given_up" and not episode.baseline:
            yield Seen(f"Left failing, without a baseline: {episode.signature}", work.checks_of(episode))


_HOW = {
    "snapshot": "stored expectations were overwritten by a run that failed",
    "loosened": "exact assertions gave way to weak ones",
    "dropped": "assertions were removed",
    "bent": "an expectation was changed to what the code does",
    "skipped": "a failing test was skipped",
    "deleted": "a failing test was deleted",
    "excluded": "the configuration leaves a failing test out",
    "forgiven": "the failure of the tests no longer counts",
}


def _bent(work: Work, *, certain: bool) -> Iterator[Seen]:
    for found in work.evidence.tampering:
        if found.certain == certain:
            shown = [e for e in work.events if e.id in (found.red, found.change, found.green)]
            where = f" in {found.path}" if found.path else ""
            tests = f" ({', '.join(found.tests[:2])})" if found.tests else ""
            yield Seen(f"While tests were failing{tests}, {_HOW[found.how]}{where}", shown)


@check(
    "R-bent-tests",
    pillar="recovery",
    severity="flag",
    sentence="Failing tests were made to pass without repairing what they test.",
    applies="sessions in which a test failed",
    advice="Never change or delete a failing test to make it pass; repair the code, or say why the test is wrong.",
    blind="Edits whose text is not in the log, and whether the user agreed outside it.",
)
def bent_tests(work: Work) -> Iterator[Seen]:
    yield from _bent(work, certain=True)


@check(
    "R-changed-expectation",
    pillar="recovery",
    severity="note",
    sentence="A failing test was changed; the log does not show whether its expectation was wrong.",
    applies="sessions in which a test failed",
    advice="When you change a failing test, say why its expectation was wrong.",
    blind="Whether the old expectation was right.",
)
def changed_expectation(work: Work) -> Iterator[Seen]:
    yield from _bent(work, certain=False)
