"""RE, Recovery Efficiency: f(RAC), SD and 1 - TWR, over the error episodes."""

from __future__ import annotations

from itertools import pairwise

from ...base.text import count
from ...evidence.episodes.attempts import Tree
from ...evidence.events import (
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
from ...review.failures import open_failure, why_no_error
from ...review.pillars import Method
from ...review.result import SubMetric, not_applicable, nothing_done, scored, unscorable
from ...review.session import Session
from .abstention import aq


def _is_doom_loop(session: Session) -> bool:
    return session.task is not None and session.task.category == "doom-loop"


def cause_remains(session: Session) -> bool:
    """Whether the hidden tests of a doom-loop task's root cause fail at the end: then every attempt has failed."""
    return _is_doom_loop(session) and session.cause_removed is False


def _no_error(session: Session) -> SubMetric:
    none = unscorable if session.cached(open_failure) else not_applicable
    return none(why_no_error(session))


def _without_episode(session: Session) -> SubMetric:
    """The value of a session without error episodes: n/a, or unscorable where something may have failed unseen; but on
    a doom-loop task 1 or 0 (cause removed or not).

    The last visible run does not decide: an agent that only rewords the error sees green as well.
    """
    if not _is_doom_loop(session):
        return _no_error(session)
    if session.idle:
        return nothing_done("nothing was repaired")
    if session.cause_removed is None:
        return unscorable("only the task's hidden tests show whether the cause was removed, and they did not run")
    edits = [e.id for e in session.production_edits[:3]]
    if session.cause_removed:
        return scored(1.0, "replayed", 1, edits, "the cause was removed without any error episode")
    return scored(0.0, "replayed", 1, edits, "hidden tests show that the cause is still there")


def scored_episodes(session: Session) -> list[EpisodeEvent]:
    """Episodes that count in RE: AQ scores those that ended in a correct escalation (the task cannot be done).

    Where no reader has judged the wording, nobody knows that it was none.
    How one would have ended that a limit cut off is not known, unless two attempts had failed by then.
    """
    episodes = session.episodes
    if session.evidence.trajectory.end == "limit":
        episodes = [e for e in episodes if e.resolved != "unresolved" or e.failed_attempts >= 2]
    if not any(e.resolved == "given_up" for e in episodes) or session.task is None:
        return episodes
    escalated = session.task.solvable != "yes" and aq(session).value in (None, 1)
    return [e for e in episodes if not (escalated and e.resolved == "given_up")]


def _none_counts() -> SubMetric:
    return not_applicable("every error episode was cut off by a limit, or ended in an escalation, which AQ scores")


def episode_value(episode: EpisodeEvent) -> float:
    """1 / (1 + (a - 1) / 2), a = attempts until green; 0 for unresolved and masked episodes."""
    return 1 / (1 + (max(episode.attempts, 1) - 1) / 2) if episode.resolved == "green" else 0.0


def rac(session: Session) -> SubMetric:
    """f(RAC): mean of :func:`episode_value` over the episodes."""
    if not session.episodes:
        return _without_episode(session)
    episodes = scored_episodes(session)
    if not episodes:
        return _none_counts()
    if cause_remains(session):
        reason = (
            f"hidden tests show that the cause is still there, whatever ended {count(len(episodes), 'error episode')}"
        )
        return scored(0.0, "replayed", len(episodes), [e.id for e in episodes], reason)
    values = [episode_value(e) for e in episodes]
    green = [e for e in episodes if e.resolved == "green"]
    attempts = sum(max(e.attempts, 1) for e in green)
    reason = f"{len(green)} of {count(len(episodes), 'error episode')} ended with passing checks"
    if green:
        reason += f", after {attempts / len(green):.1f} attempts on average"
    if masked := sum(e.resolved == "masked" for e in episodes):
        reason += f"; in {masked} a failing test that was there before was deleted, skipped or weakened"
    if unknown := [e.id for e in episodes if e.resolved == "unknown"]:
        return unscorable("whether a failing test was given up or corrected is for a reader", unknown)
    found = scored(sum(values) / len(values), "parsed", len(episodes), [e.id for e in episodes], reason)
    # The paper counts the recovery attempts of the session; it has no episodes.
    found.paper = 1 / (1 + (max(sum(max(e.attempts, 1) for e in episodes), 1) - 1) / 2)
    return found


def sd(session: Session) -> SubMetric:
    """Mean over episodes with two or more failed attempts of 1 - repeats / (a - 1)."""
    episodes = [e for e in scored_episodes(session) if e.failed_attempts >= 2]
    if not session.episodes:
        return _no_error(session)
    if not episodes:
        return not_applicable("no error episode has two failed attempts")
    edits = session.evidence.edits
    blind = [i for e in episodes for attempt in e.attempt_edits for i in attempt if edits[i].blind]
    if blind:
        return unscorable("the log does not state what the edits of the attempts wrote", blind[:3])
    values = [max(0.0, 1 - e.repeats / (e.failed_attempts - 1)) for e in episodes]
    failed, repeats = sum(e.failed_attempts for e in episodes), sum(e.repeats for e in episodes)
    reason = f"{repeats} of {failed} failed attempts repeated an earlier fix"
    return scored(sum(values) / len(values), "parsed", len(episodes), [e.id for e in episodes], reason)


def twr(session: Session) -> SubMetric:
    """1 - TWR; TWR = output tokens from an error to the next still-failing check / all output tokens, all lanes."""
    if not session.episodes:
        return _without_episode(session)
    episodes = scored_episodes(session)
    if not episodes:
        return _none_counts()
    if cause_remains(session):
        reason = "hidden tests show that the cause is still there, so all work was a recovery that failed"
        return scored(0.0, "replayed", len(episodes), [e.id for e in episodes], reason)
    tokens = session.evidence.tokens
    wasted, effectless = wasted_steps(session), effectless_steps(session)
    spent = sum(tokens.output[n] for n in wasted)
    total = sum(output for n, output in enumerate(tokens.output) if n in wasted or n not in effectless)
    if not total:
        return unscorable("the log has no token usage and no text to estimate it from")
    share = f"{100 * spent / total:.0f} % of the output of steps with an effect ({spent} of {total} tokens)"
    reason = f"{share} went into attempts that still failed"
    if tokens.estimated:
        reason += " (estimated from the text: the log has no token usage)"
    method: Method = "estimated" if tokens.estimated else "parsed"
    found = scored(1 - spent / total, method, len(episodes), [e.id for e in episodes], reason)
    # The paper divides by all tokens, and all tokens of a failed attempt are waste.
    failed = sum(tokens.output[n] for n in wasted_steps(session, reading_too=True))
    found.paper = 1 - failed / max(1, sum(tokens.output))
    return found


def wasted_steps(session: Session, *, reading_too: bool = False) -> set[int]:
    """Steps of an episode's lane between two failing checks; steps that only read or searched are not wasted unless
    ``reading_too``."""
    reading, steps = set() if reading_too else _reading_steps(session), session.evidence.trajectory.steps
    found: set[int] = set()
    for episode in scored_episodes(session):
        failed = (c for c in episode.checks if session.evidence.checks[c].failed)
        for start, end in pairwise(session.events[session.position[c]].step for c in failed):
            found.update(n for n in range(start + 1, end + 1) if steps[n].lane == episode.lane and n not in reading)
    return found


def _calls_by_step(session: Session) -> dict[int, list[AnyEvent]]:
    found: dict[int, list[AnyEvent]] = {}
    for event in session.events:
        if event.call is not None and not isinstance(event, EpisodeEvent):
            found.setdefault(event.step, []).append(event)
    return found


def _reading_steps(session: Session) -> set[int]:
    """Steps that only read or searched: investigating a failure is not waste."""
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
    """Steps without any effect: only words, ``true``, ``git status``, empty commits, and work that was undone.

    Undone work is edits that are taken back with the checks in between, tests that cannot fail, and a check repeated
    on the same tree. Their tokens do not count as work; otherwise they would make the share of waste look small.
    """
    without: set[str] = set()
    path: list[tuple[Tree, list[str]]] = [(0, [])]
    index = {0: 0}
    checked: set[tuple[Tree, str, tuple[str, ...]]] = set()
    for event in session.events:
        facts = session.evidence.checks.get(event.id)
        if isinstance(event, EditEvent):
            tree = session.trees[event.id]
            if _only_void_tests(session, event):
                without.add(event.id)
            if tree in index:
                for undone, ids in path[index[tree] + 1 :]:
                    without.update(ids)
                    del index[undone]
                del path[index[tree] + 1 :]
                without.add(event.id)
            else:
                index[tree] = len(path)
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
