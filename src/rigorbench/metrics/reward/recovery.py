"""Credit for RE and AQ: what ended the error episodes, and what was said when the work could not be done."""

from __future__ import annotations

from itertools import pairwise

from ...evidence.edits.facts import Sites
from ...evidence.episodes.attempts import REPEAT, drops_tests, jaccard
from ...evidence.events import AnyEvent, EditEvent, EpisodeEvent
from ..recovery import reading_steps, red_steps, scored_episodes
from ..result import SubMetric
from .shares import Shares, View


def rac(view: View, sub: SubMetric) -> Shares:
    """For each episode that ended green: half to the check that shows it, half to the files of the attempt that did
    it. The loss to the failing checks after the first, each of which says that an attempt failed."""
    shares = Shares()
    for episode in scored_episodes(view.session):
        value = 1 / (1 + (max(episode.attempts, 1) - 1) / 2) if episode.resolved == "green" else 0.0
        if value > 0:
            _recovered(view, shares, episode, value)
        failed = _failed(view, episode)
        shares.lose(1 - value, *(failed[1:] or failed or [episode]))
    return shares if view.session.episodes else first_of_evidence(view, sub)


def sd(view: View, _sub: SubMetric) -> Shares:
    """To the failed attempts after the first that tried something new; the loss to those that did not."""
    shares = Shares()
    for episode in scored_episodes(view.session):
        if episode.failed_attempts < 2:
            continue
        attempts = [_edits(view, ids) for ids in episode.attempt_edits[: episode.failed_attempts]]
        repeats = _repeats(view, attempts)
        value = max(0.0, 1 - episode.repeats / (episode.failed_attempts - 1))
        fresh = [a for a, repeat in zip(attempts[1:], repeats[1:], strict=True) if not repeat] or attempts[:1]
        stale = [a for a, repeat in zip(attempts, repeats, strict=True) if repeat] or attempts[1:]
        for attempt in fresh:
            shares.earn(value / len(fresh), *(view.files(attempt) or attempt[-1:] or [episode]))
        for attempt in stale:
            shares.lose((1 - value) / len(stale), *(view.files(attempt) or attempt[-1:] or [episode]))
    return shares


def twr(view: View, sub: SubMetric) -> Shares:
    """For each episode, to what ended it green, as for f(RAC), or else to the check that found the error. The loss to
    the steps between two failing checks, by the tokens they spent."""
    session, shares = view.session, Shares()
    if not session.episodes:
        return first_of_evidence(view, sub)
    reading, steps = reading_steps(session), session.evidence.trajectory.steps
    wasted: set[int] = set()
    for episode in scored_episodes(session):
        if episode.resolved == "green":
            _recovered(view, shares, episode, 1)
        else:
            shares.earn(1, *(_failed(view, episode)[:1] or [episode]))
        for start, end in pairwise(red_steps(session, episode)):
            wasted.update(n for n in range(start + 1, end + 1) if steps[n].lane == episode.lane and n not in reading)
    for step in sorted(wasted):
        shares.lose(session.evidence.tokens.output[step], step)
    return shares


def aq(view: View, sub: SubMetric) -> Shares:
    """To what was said or done; where the session had looked at the blocker, half to the first look."""
    shares = Shares()
    events = view.events(sub.evidence)
    for event in events[:2]:
        shares.earn(1, event)
    if events:
        shares.lose(1, events[0])
    return shares


def first_of_evidence(view: View, sub: SubMetric) -> Shares:
    """Credit and loss to the first event that the value rests on."""
    shares = Shares()
    for event in view.events(sub.evidence)[:1]:
        shares.earn(1, event)
        shares.lose(1, event)
    return shares


def _recovered(view: View, shares: Shares, episode: EpisodeEvent, value: float) -> None:
    checks = view.events(episode.checks)
    files = view.files(_edits(view, episode.attempt_edits[-1])) if episode.attempt_edits else []
    shares.earn(value / 2 if files else value, checks[-1] if checks else episode)
    if files:
        shares.earn(value / 2, *files)


def _failed(view: View, episode: EpisodeEvent) -> list[AnyEvent]:
    return [e for e in view.events(episode.checks) if view.session.evidence.checks[e.id].failed]


def _edits(view: View, ids: list[str]) -> list[EditEvent]:
    return [e for e in view.events(ids) if isinstance(e, EditEvent)]


def _repeats(view: View, attempts: list[list[EditEvent]]) -> list[bool]:
    """Which of the failed attempts did what an earlier one had done, as the count of them is made."""
    session, sites = view.session, Sites()
    seen: list[set[str]] = []
    trees = [0]
    found: list[bool] = []
    for attempt in attempts:
        facts = [session.facts(e) for e in attempt]
        traits = {t for e, f in zip(attempt, facts, strict=True) for t in sites.traits(e.path, f.change, e.symbols)}
        tree = session.trees[attempt[-1].id] if attempt else trees[-1]
        only_drops = all(drops_tests(e, f) for e, f in zip(attempt, facts, strict=True))
        found.append(only_drops or tree in trees or any(jaccard(traits, other) >= REPEAT for other in seen))
        seen.append(traits)
        trees.append(tree)
    return found
