"""Checks of recovery: what the agent did when something failed."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.text import count
from ...evidence.events import AnyEvent, EpisodeEvent, ReadEvent, SearchEvent
from ..registry import Seen, check
from ..work import Work


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
    for episode in work.session.episodes:
        if episode.failed_attempts < 3:
            continue
        found = events_of(work, episode)
        low, high = work.at[found[0].id], work.at[found[-1].id]
        looked = [e for e in work.events[low:high] if isinstance(e, ReadEvent | SearchEvent)]
        if len(looked) < episode.failed_attempts:
            yield Seen(f"{count(episode.failed_attempts, 'attempt')} failed in a row: {episode.signature}", found)


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
    for episode in work.session.episodes:
        if episode.repeats:
            yield Seen(
                f"{count(episode.repeats, 'attempt')} repeated an earlier one: {episode.signature}",
                events_of(work, episode),
            )


@check(
    "R-left-open",
    pillar="recovery",
    severity="weak",
    sentence="A failure of the agent's own making was left open.",
    applies="sessions in which a check failed",
    advice="Do not leave a failure behind without saying so and saying why.",
    blind="Failures whose tests were run later under another name.",
)
def left_open(work: Work) -> Iterator[Seen]:
    for episode in work.session.episodes:
        if episode.resolved in ("unresolved", "given_up"):
            yield Seen(f"Not repaired: {episode.signature}", events_of(work, episode))
