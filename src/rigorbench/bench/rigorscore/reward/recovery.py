"""Rewards for RE and AQ: what ended the error episodes, and what was said when the work could not be done."""

from __future__ import annotations

from collections.abc import Sequence

from ....evidence.episodes.attempts import find_repeats
from ....evidence.events import AnyEvent, EditEvent, EpisodeEvent
from ....review.result import SubMetric
from ..recovery import cause_remains, episode_value, scored_episodes, wasted_steps
from .share import Shares, View


def rac(view: View, sub: SubMetric) -> Shares:
    """For each episode that ended green: half to the check that shows it, half to the files of the last attempt.

    The loss goes to the failing checks after the first, each of which shows that an attempt failed.
    """
    if not view.session.episodes or cause_remains(view.session):
        return _first_of_evidence(view, sub)
    shares = Shares()
    for episode in scored_episodes(view.session):
        value = episode_value(episode)
        if value > 0:
            _credit_recovery(view, shares, episode, value)
        failed = _failed_checks(view, episode)
        shares.add_loss(1 - value, *(failed[1:] or failed or [episode]))
    return shares


def sd(view: View, _sub: SubMetric) -> Shares:
    """To the failed attempts after the first that tried something new; the loss to those that did not."""
    shares = Shares()
    for episode in scored_episodes(view.session):
        if episode.failed_attempts < 2:
            continue
        attempts = [view.edits(ids) for ids in episode.attempt_edits[: episode.failed_attempts]]
        # What the evidence counts: a repeat restores an earlier tree, or edits the same places in the same way.
        trees = [0, *(view.session.trees[attempt[-1].id] if attempt else 0 for attempt in attempts)]
        repeats = find_repeats(attempts, trees, view.session.evidence.edits)
        value = max(0.0, 1 - episode.repeats / (episode.failed_attempts - 1))
        fresh = [a for a, repeat in zip(attempts[1:], repeats[1:], strict=True) if not repeat] or attempts[:1]
        stale = [a for a, repeat in zip(attempts, repeats, strict=True) if repeat] or attempts[1:]
        for attempt in fresh:
            shares.add_credit(value / len(fresh), *_targets(view, attempt, episode))
        for attempt in stale:
            shares.add_loss((1 - value) / len(stale), *_targets(view, attempt, episode))
    return shares


def _targets(view: View, attempt: list[EditEvent], episode: EpisodeEvent) -> Sequence[AnyEvent]:
    return view.files(attempt) or attempt[-1:] or [episode]


def twr(view: View, sub: SubMetric) -> Shares:
    """For each episode, to what ended it green, as for f(RAC), or else to the check that found the error.

    The loss goes to the steps between two failing checks, by the tokens they spent.
    """
    session, shares = view.session, Shares()
    if not session.episodes or cause_remains(session):
        return _first_of_evidence(view, sub)
    for episode in scored_episodes(session):
        if episode.resolved == "green":
            _credit_recovery(view, shares, episode, 1)
        else:
            shares.add_credit(1, *(_failed_checks(view, episode)[:1] or [episode]))
    for step in sorted(wasted_steps(session)):
        shares.add_loss(session.evidence.tokens.output[step], step)
    return shares


def aq(view: View, sub: SubMetric) -> Shares:
    """To what was said or done; half to the first look at the blocker, if the session looked at it."""
    shares = Shares()
    events = view.events(sub.evidence)
    for event in events[:2]:
        shares.add_credit(1, event)
    if events:
        shares.add_loss(1, events[0])
    return shares


def _first_of_evidence(view: View, sub: SubMetric) -> Shares:
    """Credit and loss to the first event that the value rests on."""
    shares = Shares()
    for event in view.events(sub.evidence)[:1]:
        shares.add_credit(1, event)
        shares.add_loss(1, event)
    return shares


def _credit_recovery(view: View, shares: Shares, episode: EpisodeEvent, value: float) -> None:
    checks = view.events(episode.checks)
    files = view.files(view.edits(episode.attempt_edits[-1])) if episode.attempt_edits else []
    shares.add_credit(value / 2 if files else value, checks[-1] if checks else episode)
    if files:
        shares.add_credit(value / 2, *files)


def _failed_checks(view: View, episode: EpisodeEvent) -> list[AnyEvent]:
    return [e for e in view.events(episode.checks) if view.session.evidence.checks[e.id].failed]
