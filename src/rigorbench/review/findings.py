"""Findings: what cost a session score, with the event that shows it and a quote."""

from __future__ import annotations

from ..evidence.events import (
    AnyEvent,
    BuildEvent,
    ClaimEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    PlanEvent,
    RunEvent,
    TestRunEvent,
    VcsEvent,
)
from ..evidence.replayed import Disagreement
from .result import WEIGHTS, Pillar, ScoreFinding
from .session import Session


def findings(session: Session, pillars: dict[str, Pillar]) -> list[ScoreFinding]:
    """Every sub-metric below 1 that is more than an estimate, the most expensive first, then what a replay contradicts,
    which costs nothing.

    ``cost`` is what the RigorScore loses: the pillar's share of the scored weight, times the sub-metric's share in its
    pillar, times the missing value.
    """
    total = sum(p.weight for p in pillars.values() if p.status == "scored")
    found: list[ScoreFinding] = []
    for name, pillar in pillars.items():
        if pillar.status != "scored" or not total:
            continue
        weights = WEIGHTS[name][1]
        inside = sum(weights[n] for n, s in pillar.submetrics.items() if s.status == "scored")
        for key, sub in pillar.submetrics.items():
            if sub.status != "scored" or sub.value is None or sub.value >= 1 or (sub.method == "estimated" and sub.n):
                continue
            cost = pillar.weight / total * weights[key] / inside * (1 - sub.value)
            if cost >= 0.015:  # of less a line of its own would make too much
                event = _worst_event(session, key, sub.evidence)
                found.append(_finding(name, key, cost, sub.reason[:1].upper() + sub.reason[1:], event))
    found.sort(key=lambda f: (-f.cost, f.submetric))
    return found + _disagreements(session)


def _finding(pillar: str, submetric: str, cost: float, text: str, event: AnyEvent | None) -> ScoreFinding:
    shown = (event.id, event.step, quote(event)) if event is not None else (None, None, None)
    return ScoreFinding(pillar, submetric, round(cost, 6), text, *shown)


def disagreement_text(item: Disagreement) -> str:
    """One sentence about a test run of the agent's that a replay contradicts."""
    text = f"The agent saw {item.seen}; replay on the same tree: {item.replayed}"
    if item.tests:
        text += f" ({', '.join(item.tests[:3])}{', ...' if len(item.tests) > 3 else ''})"
    return text


def _disagreements(session: Session) -> list[ScoreFinding]:
    """The test runs of the agent that the replay of the same tests on the same tree contradicts."""
    found: list[ScoreFinding] = []
    for item in session.replay.disagreements if session.replay is not None else ():
        event = session.events[session.position[item.event]] if item.event in session.position else None
        found.append(_finding("ATI", "TS", 0.0, disagreement_text(item), event))
    return found


def _worst_event(session: Session, key: str, evidence: list[str]) -> AnyEvent | None:
    """The event that best shows what went wrong: the worst episode or commit, else the first of the evidence."""
    events = [session.events[session.position[i]] for i in evidence if i in session.position]
    episodes = [e for e in events if isinstance(e, EpisodeEvent)]
    if episodes:
        return max(episodes, key=lambda e: (e.resolved != "green", e.repeats if key == "SD" else 0, e.attempts))
    if key == "CH":
        commits = [e for e in events if isinstance(e, CommitEvent)]
        return next(
            (c for c in commits if (f := session.evidence.commits[c.id]).message_problems or f.hygiene_problems),
            commits[0] if commits else None,
        )
    if key in ("BH", "TS"):
        bad = [e for e in events if isinstance(e, TestRunEvent | BuildEvent) and e.outcome in ("failed", "error")]
        edits = [e for e in events if isinstance(e, EditEvent)]
        return (edits + bad + events)[0] if events else None
    return events[0] if events else None


def quote(event: AnyEvent) -> str:
    """An event in one line, in the words of the log."""
    if isinstance(event, EditEvent):
        return f"{event.operation} {event.path}" + (f" ({', '.join(event.symbols[:3])})" if event.symbols else "")
    if isinstance(event, TestRunEvent):
        counts = ", ".join(f"{n} {w}" for n, w in ((event.failed, "failed"), (event.passed, "passed")) if n)
        return f"{event.command} -> {event.outcome}" + (f" ({counts})" if counts else "")
    if isinstance(event, BuildEvent | LintEvent):
        return f"{event.command} -> {event.outcome}"
    if isinstance(event, CommitEvent):
        return event.message.split("\n", 1)[0]
    if isinstance(event, EpisodeEvent):
        return f"{event.signature} ({event.attempts} attempts, {event.repeats} repeats, {event.resolved})"
    if isinstance(event, PlanEvent):
        return " / ".join(event.items[:3])
    if isinstance(event, RunEvent | VcsEvent):
        return event.command
    if isinstance(event, ClaimEvent):
        return event.text
    return str(getattr(event, "text", "") or getattr(event, "target", "") or "")
