"""Credit for ATI: the edits that left a sound state, the check that shows it, and the commits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import zip_longest

from msgspec import Struct

from ...evidence.events import AnyEvent, BuildEvent, EditEvent, TestRunEvent
from ..integrity import accepted_failures, commit_value, shows_build, shows_regressions
from ..result import SubMetric
from .shares import HALF, Share, Shares, View


class _State(Struct):
    """A state of the tree: the edits that first led to it, and the ids of all edits and checks that belong to it."""

    edits: list[EditEvent]
    checks: list[AnyEvent]
    ids: set[str]


def bh(view: View, sub: SubMetric) -> Shares:
    """For each state that builds: half to the files of its edits, half to the first check that shows it. The loss to
    the check (or edit) that shows a broken one."""
    session = view.session
    if sub.method == "replayed" and session.replay is not None:
        return _replayed(view, lambda c: c.build.ok, lambda c: c.build.ok is not None)
    return _states(view, sub, lambda check: shows_build(session, check) is True)


def ts(view: View, sub: SubMetric) -> Shares:
    """As for BH, of the states that show no regression."""
    session = view.session
    if sub.method == "replayed" and session.replay is not None:
        return _replayed(view, lambda c: not c.regressions, lambda _: True)
    accepted = accepted_failures(session)

    def stable(check: AnyEvent) -> bool:
        if not isinstance(check, TestRunEvent) or not shows_regressions(session, check):
            return False
        if session.evidence.checks[check.id].infrastructure:
            return False
        return (
            check.outcome == "passed"
            or check.red_phase
            or (bool(check.failing) and set(check.failing) <= accepted[check.id])
        )

    return _states(view, sub, stable)


def ch(view: View, _sub: SubMetric) -> Shares:
    """To the commits, by their value and the files with real changes in them; the loss to those that lack something."""
    session, shares = view.session, Shares()
    values: list[tuple[AnyEvent, float, int]] = []
    judged = session.all_verdicts("commit_message")
    for commit in session.commits:
        value = commit_value(session, commit, judged.get(commit.id) if judged is not None else None)
        values.append((commit, value, view.work(commit)))
    none = not any(work * value for _, value, work in values)
    for event, value, work in values:
        shares.earn((value or 1.0) if none else value * work, event)
        shares.lose(1 - value, event)
    if not shares.lost:
        shares.lost = [Share(Fraction(1), event) for event, _, _ in values]
    return shares


def _states(view: View, sub: SubMetric, sound: Callable[[AnyEvent], bool]) -> Shares:
    """Shares of the states that the agent's own checks tell of: those named by the evidence."""
    shares = Shares()
    states = _walk(view)
    for event in view.events(sub.evidence):
        state = next((s for s in states if event.id in s.ids), None)
        if not sound(event):
            shares.lose(1, event)
        elif state is not None:
            first = next(c for c in state.checks if sound(c))
            files = view.files(state.edits)
            shares.earn(HALF if files else 1, first)
            if files:
                shares.earn(HALF, *files)
    shares.earned = view.led_somewhere(shares.earned)
    return shares


def _walk(view: View) -> list[_State]:
    """The distinct states after the edit bursts, as BH and TS see them."""
    session = view.session
    found: dict[int, _State] = {}
    bursts = session.bursts()
    for burst, following in zip_longest(bursts, bursts[1:]):
        start = session.position[burst[-1].id] + 1
        end = session.position[following[0].id] if following else len(session.events)
        checks = [e for e in session.events[start:end] if isinstance(e, BuildEvent | TestRunEvent)]
        state = found.setdefault(session.trees[burst[-1].id], _State(burst, [], set()))
        state.checks += checks
        state.ids.update(e.id for e in (*burst, *checks))
    return list(found.values())


def _replayed(view: View, good: Callable[..., bool | None], judged: Callable[..., bool]) -> Shares:
    """Shares of the states that a replay built and tested."""
    shares = Shares()
    assert view.session.replay is not None
    for checked in view.session.replay.checked:
        edits = view.events(checked.edits)
        if not edits or not judged(checked):
            continue
        files = view.files(edits) or edits[-1:]
        if good(checked):
            shares.earn(1, *files)
        else:
            shares.lose(1, *files)
    shares.earned = view.led_somewhere(shares.earned)
    return shares
