"""Observations of recovery: what failed, and how it ended."""

from __future__ import annotations

from ...evidence.events import AnyEvent, EditEvent, EpisodeEvent, ReadEvent, RunEvent, SearchEvent
from ...evidence.facts import same_check
from ..work import Work
from .verification import unreported

# So many failures of one check with only edits between are too many.
BLIND = 4


def blind_streak(work: Work, episode: EpisodeEvent, *, alike: bool = False) -> list[AnyEvent]:
    """The longest series of failures between which the agent only edited: nothing read, searched or measured.

    Args:
        alike: end a series where another failure comes than before, which is something new.
    """
    best: list[AnyEvent] = []
    streak: list[AnyEvent] = []
    for event in work.checks_of(episode):
        if not work.red(event):
            continue
        if streak:
            between = work.events[work.at[streak[-1].id] + 1 : work.at[event.id]]
            edited = any(isinstance(e, EditEvent) and e.step > streak[-1].step for e in between)
            looked = any(isinstance(e, ReadEvent | SearchEvent | RunEvent) for e in between)
            if looked or (alike and not _alike(work, streak[-1], event)):
                streak = []
            elif not edited:
                streak = streak[:-1]
        streak.append(event)
        best = max(best, list(streak), key=len)
    return best


def _alike(work: Work, first: AnyEvent, second: AnyEvent) -> bool:
    """Whether two runs failed with the same message and in a common test, as far as both show it."""
    a, b = work.facts(first), work.facts(second)
    if a is None or b is None or not (a.message or a.failing) or not (b.message or b.failing):
        return False
    if a.message and b.message and a.message != b.message:
        return False
    return not (a.failing and b.failing and a.failing.isdisjoint(b.failing))


def only_in_tests(work: Work, episode: EpisodeEvent) -> bool:
    """Whether no attempt at a failure edited anything but tests."""
    roles = {e.id: e.role for e in work.events if isinstance(e, EditEvent)}
    return all(roles.get(edit, "test") == "test" for attempt in episode.attempt_edits for edit in attempt)


def may_be_green(work: Work, episode: EpisodeEvent) -> bool:
    """Whether a check that ended red was run again, and the log does not show how that ended."""
    checks = work.checks_of(episode)
    facts = work.facts(checks[-1]) if checks else None
    if episode.resolved not in ("unresolved", "given_up") or facts is None:
        return False
    later = unreported(work, work.events[work.at[checks[-1].id] + 1 :])
    return any((other := work.facts(e)) is not None and same_check(facts, other) for e in later)
