"""Rewards for ATI: the edits that left a sound state, the check that shows it, and the commits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ....evidence.events import AnyEvent, EditEvent, TestRunEvent
from ....evidence.replayed import BuiltTree
from ....review.result import SubMetric
from ..integrity import (
    BurstState,
    accepted_failures,
    commit_value,
    is_stable,
    judged_messages,
    shows_build,
    shows_regressions,
    states,
)
from .share import HALF, Share, Shares, View


def bh(view: View, sub: SubMetric) -> Shares:
    """For each state that builds: half to the files of its edits, half to the first check that shows it.

    The loss goes to the check (or edit) that shows a broken state.
    """
    session = view.session
    if sub.method == "replayed" and session.replay is not None:
        return _replayed(view, lambda checked: checked.build.ok)
    return _by_state(view, sub, lambda check: shows_build(session, check) is True)


def ts(view: View, sub: SubMetric) -> Shares:
    """As for BH, for the states without a regression."""
    session = view.session
    if sub.method == "replayed" and session.replay is not None:
        return _replayed(view, lambda checked: not checked.regressions)
    accepted = accepted_failures(session)

    def stable(check: AnyEvent) -> bool:
        return (
            isinstance(check, TestRunEvent)
            and shows_regressions(session, check)
            and not session.evidence.checks[check.id].infrastructure
            and is_stable(check, accepted[check.id])
        )

    return _by_state(view, sub, stable)


def ch(view: View, _sub: SubMetric) -> Shares:
    """To the commits, by their value and the files with real changes in them; the loss to those below 1."""
    session, shares = view.session, Shares()
    values: list[tuple[AnyEvent, float, int]] = []
    judged, numbers = judged_messages(session)
    for commit in session.commits:
        value = commit_value(session, commit, judged, numbers.get(commit.id))
        values.append((commit, value, view.changed_files(commit)))
    none = not any(files * value for _, value, files in values)
    for event, value, files in values:
        shares.add_credit((value or 1.0) if none else value * files, event)
        shares.add_loss(1 - value, event)
    if not shares.lost:
        shares.lost = [Share(Fraction(1), event) for event, _, _ in values]
    return shares


def _by_state(view: View, sub: SubMetric, sound: Callable[[AnyEvent], bool]) -> Shares:
    """Shares of the states that the agent's own checks cover: those in the evidence of the sub-metric."""
    shares = Shares()
    of_event: dict[str, BurstState] = {}
    for state in states(view.session):
        for known in (*(edit for burst in state.bursts for edit in burst), *state.checks):
            of_event.setdefault(known.id, state)
    for event in view.events(sub.evidence):
        if not sound(event):
            shares.add_loss(1, event)
        elif event.id in of_event:
            state = of_event[event.id]
            files = view.files(state.bursts[0])
            shares.add_credit(HALF if files else 1, next(c for c in state.checks if sound(c)))
            if files:
                shares.add_credit(HALF, *files)
    shares.earned = view.with_effect(shares.earned)
    return shares


def _replayed(view: View, sound: Callable[[BuiltTree], bool | None]) -> Shares:
    """Shares of the states that a replay built and tested. ``sound`` None: the replay cannot tell."""
    shares = Shares()
    assert view.session.replay is not None
    for checked in view.session.replay.checked:
        edits, good = view.events(checked.edits), sound(checked)
        if not edits or good is None:
            continue
        files: list[EditEvent] | list[AnyEvent] = view.files(edits) or edits[-1:]
        if good:
            shares.add_credit(1, *files)
        else:
            shares.add_loss(1, *files)
    shares.earned = view.with_effect(shares.earned)
    return shares
