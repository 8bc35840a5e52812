"""RE, Recovery Efficiency: f(RAC), SD and 1 - TWR, over the error episodes."""

from __future__ import annotations

from itertools import pairwise

from ..evidence.episodes.attempts import Tree
from ..evidence.events import (
    AnyEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    PlanEvent,
    ReadEvent,
    SearchEvent,
    VcsEvent,
    WaitEvent,
)
from .abstention import abstention_quality
from .result import SubMetric
from .session import Session, idle, not_applicable, scored, unscorable


def score_recovery(session: Session) -> dict[str, SubMetric]:
    return {"f(RAC)": _rac(session), "SD": _sd(session), "1-TWR": _twr(session)}


def _without_episode(session: Session) -> SubMetric:
    """A Doom-Loop task solved without any episode is 1, not solved 0; anywhere else no episode is n/a."""
    if session.task is not None and session.task.category == "doom-loop":
        if session.idle:
            return idle("no recovery")
        last = session.test_runs[-1] if session.test_runs else None
        if last is None or last.outcome == "unknown" or session.evidence.checks[last.id].selective:
            return unscorable("whether the task was solved is not known: the whole suite was not run at the end")
        solved = last.outcome == "passed" and bool(session.production_edits)
        words = "solved without any error episode" if solved else "not solved"
        return scored(float(solved), "parsed", 1, [last.id], words)
    return not_applicable("no error to recover from")


def scored_episodes(session: Session) -> list[EpisodeEvent]:
    """Episodes that count: one ended by a correct escalation (giving up on what cannot be done) is scored in AQ."""
    if not any(e.resolved == "given_up" for e in session.episodes) or session.task is None:
        return session.episodes
    escalated = session.task.solvable != "yes" and abstention_quality(session).value == 1
    return [e for e in session.episodes if not (escalated and e.resolved == "given_up")]


def _escalated() -> SubMetric:
    return not_applicable("the only episodes ended in an escalation, which is scored in AQ")


def _rac(session: Session) -> SubMetric:
    """Mean over episodes of 1 / (1 + (a - 1) / 2), a = attempts until green; unresolved or masked episodes 0."""
    if not session.episodes:
        return _without_episode(session)
    episodes = scored_episodes(session)
    if not episodes:
        return _escalated()
    values = [1 / (1 + (max(e.attempts, 1) - 1) / 2) if e.resolved == "green" else 0.0 for e in episodes]
    green = [e for e in episodes if e.resolved == "green"]
    attempts = sum(max(e.attempts, 1) for e in green)
    reason = f"{len(green)} of {len(episodes)} error episodes ended green"
    if green:
        reason += f", after {attempts / len(green):.1f} attempts on average"
    masked = sum(e.resolved == "masked" for e in episodes)
    if masked:
        reason += f"; {masked} masked by deleting or weakening the failing test"
    return scored(sum(values) / len(values), "parsed", len(episodes), [e.id for e in episodes], reason)


def _sd(session: Session) -> SubMetric:
    """Mean over episodes with two or more failed attempts of 1 - repeats / (a - 1)."""
    episodes = [e for e in scored_episodes(session) if e.failed_attempts >= 2]
    if not episodes:
        return not_applicable("no episode with two failed attempts")
    values = [max(0.0, 1 - e.repeats / (e.failed_attempts - 1)) for e in episodes]
    failed = sum(e.failed_attempts for e in episodes)
    repeats = sum(e.repeats for e in episodes)
    reason = f"{repeats} of {failed} failed attempts did the same at the same place as an earlier one"
    return scored(sum(values) / len(values), "parsed", len(episodes), [e.id for e in episodes], reason)


def _twr(session: Session) -> SubMetric:
    """1 - TWR; TWR = output tokens from an error to the next still-failing check / all output tokens, all lanes."""
    if not session.episodes:
        return _without_episode(session)
    episodes = scored_episodes(session)
    if not episodes:
        return _escalated()
    tokens = session.evidence.tokens
    reading, idle_steps = reading_steps(session), effectless_steps(session)
    wasted: set[int] = set()
    steps = session.evidence.trajectory.steps
    for episode in episodes:
        for start, end in pairwise(red_steps(session, episode)):
            wasted.update(n for n in range(start + 1, end + 1) if steps[n].lane == episode.lane and n not in reading)
    spent = sum(tokens.output[n] for n in wasted)
    total = sum(count for n, count in enumerate(tokens.output) if n in wasted or n not in idle_steps)
    if not total:
        return unscorable("the log has no token usage and no text to estimate it from")
    method = "estimated" if tokens.estimated else "parsed"
    reason = f"{spent} of {total} output tokens went into attempts that stayed red"
    if tokens.estimated:
        reason += " (no usage in the log: counted from the text)"
    return scored(1 - spent / total, method, len(episodes), [e.id for e in episodes], reason)


def red_steps(session: Session, episode: EpisodeEvent) -> list[int]:
    """Steps of the checks of an episode that failed, in order."""
    return [session.events[session.position[c]].step for c in episode.checks if session.evidence.checks[c].failed]


def _calls_by_step(session: Session) -> dict[int, list[AnyEvent]]:
    found: dict[int, list[AnyEvent]] = {}
    for event in session.events:
        if event.call is not None and not isinstance(event, EpisodeEvent):
            found.setdefault(event.step, []).append(event)
    return found


def reading_steps(session: Session) -> set[int]:
    """Steps that only read or searched: looking into a failure is no waste."""
    by_step = _calls_by_step(session)
    return {n for n, events in by_step.items() if all(isinstance(e, ReadEvent | SearchEvent) for e in events)}


def _only_void_tests(session: Session, edit: EditEvent) -> bool:
    """Whether an edit does nothing but add tests that cannot fail."""
    facts = session.facts(edit)
    added = [t for t in facts.tests if t.name is not None and not t.edited]
    if not added or len(added) != len(facts.tests) or facts.removed_tests or facts.weakened_tests:
        return False
    return not any(t.has_assertion and not t.skipped for t in added)


def effectless_steps(session: Session) -> set[int]:
    """Steps without any effect: only words, ``true``, ``git status``, empty commits, and what led nowhere.

    Edits that are taken back lead nowhere, with the checks in between, and so do tests that cannot fail, and a check of
    a tree on which it had run before. Their tokens are no part of the work, so that no amount of them makes a waste
    look small.
    """
    without: set[str] = set()
    path: list[tuple[Tree, list[str]]] = [(0, [])]
    place = {0: 0}
    checked: set[tuple[Tree, str, tuple[str, ...]]] = set()
    for event in session.events:
        facts = session.evidence.checks.get(event.id)
        if isinstance(event, EditEvent):
            tree = session.trees[event.id]
            if _only_void_tests(session, event):
                without.add(event.id)
            if tree in place:
                for undone, ids in path[place[tree] + 1 :]:
                    without.update(ids)
                    del place[undone]
                del path[place[tree] + 1 :]
                without.add(event.id)
            else:
                place[tree] = len(path)
                path.append((tree, [event.id]))
        elif isinstance(event, CommitEvent):
            if session.evidence.commits[event.id].empty:
                without.add(event.id)
        elif facts is not None:
            key = (path[-1][0], facts.key, facts.targets)
            if key in checked:
                without.add(event.id)
            checked.add(key)
            path[-1][1].append(event.id)
        elif event.id in session.evidence.effectless or isinstance(event, VcsEvent | WaitEvent | PlanEvent):
            without.add(event.id)
    by_step = _calls_by_step(session)
    agent = (n for n, s in enumerate(session.evidence.trajectory.steps) if s.role == "agent")
    return {n for n in agent if all(e.id in without for e in by_step.get(n, ()))}
