"""What scoring returns: the ``rigor-score/1`` document, and the session report that views are made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from ..evidence.events import AnyEvent
from ..evidence.facts import RefutedPass
from ..evidence.replayed import ReplayResult
from ..session.model import Trajectory
from .pillars import PILLARS, SUBMETRICS, Method

Status = Literal["scored", "not_applicable", "unscorable"]

SCHEMA = "rigor-score/1"
# Pillar -> (weight, {sub-metric: weight in the pillar}).
WEIGHTS: dict[str, tuple[float, dict[str, float]]] = {
    p.name: (p.weight, {s.name: s.weight for s in SUBMETRICS if s.pillar == p.name}) for p in PILLARS
}
PILLAR_TITLES: dict[str, str] = {p.name: p.title for p in PILLARS}
SUBMETRIC_TITLES: dict[str, str] = {s.name: s.title for s in SUBMETRICS}


class SubMetric(Struct, omit_defaults=True):
    """One sub-metric. ``value`` in [0, 1], set only when ``status`` is "scored"; ``n`` counts what it rests on.

    ``readers``: who gave each of the answers that a ``judged`` value rests on. ``paper``: the value by the letter of
    the paper, where it can be computed and its formula is another than ours (:mod:`.paper_exact`).
    """

    value: float | None
    status: Status
    method: Method | None
    n: int
    evidence: list[str]
    reason: str
    readers: list[str] = field(default_factory=list)
    paper: float | None = None


def scored(value: float, method: Method, n: int, evidence: Sequence[str], reason: str) -> SubMetric:
    return SubMetric(min(1.0, max(0.0, value)), "scored", method, n, list(evidence), reason)


def not_applicable(reason: str) -> SubMetric:
    return SubMetric(None, "not_applicable", None, 0, [], reason)


def unscorable(reason: str, evidence: Sequence[str] = ()) -> SubMetric:
    return SubMetric(None, "unscorable", None, 0, list(evidence), reason)


def nothing_done(consequence: str) -> SubMetric:
    """The zero of an agent that was asked for a change and made none."""
    return scored(0.0, "parsed", 0, [], f"a change was requested and the agent made none, so {consequence}")


class Pillar(Struct):
    """``value``: weighted mean of the scored sub-metrics; ``evidence_share``: scored / applicable weight."""

    value: float | None
    status: Status
    weight: float
    evidence_share: float | None
    submetrics: dict[str, SubMetric]


class Tokens(Struct):
    input: int | None
    cache_read: int | None
    cache_write: int | None
    output: int | None


class Header(Struct):
    """The ``trajectory`` member of the score document. ``steps`` counts model calls, ``events`` evidence events.

    ``complete`` and ``unread`` are those of the :class:`~rigorbench.session.model.Trajectory`; ``understood`` is the
    share of the calls whose effect is known, None without calls.
    """

    id: str
    source: str
    format: str
    agent: str | None
    agent_version: str | None
    model: str | None
    started_at: str | None
    ended_at: str | None
    steps: int
    events: int
    tokens: Tokens | None
    skipped_lines: int = 0
    complete: bool | None = None
    unread: int = 0
    understood: float | None = None


class ReplayedTree(Struct):
    """One distinct tree: its build ("passed", "failed", None: not known), its tests, and what had passed once."""

    tree: str
    build: str | None
    passed: int | None
    failed: int | None
    regressions: list[str]
    start: bool = False


class ReplayComparison(Struct):
    """A test run of the agent's (``event``) of which the replay on the same tree found something else; ``why``: both in
    words. ``tests``: those that differ, where they are known."""

    event: str
    tree: str
    said: str
    replayed: str
    why: str
    tests: list[str] = field(default_factory=list)


class ReplaySummary(Struct):
    """The ``replay`` member of the score document, there only where something was replayed or was to be.

    ``states`` counts those after edit bursts, ``trees`` are the distinct ones among them and the start. ``compared``:
    the agent's own test runs that could be held against ours on the same tree, ``disagreements`` those that differ.
    ``refuted``: the passes that have the outcome of the replay, by their number among all test runs, so that the events
    can be found again. ``seconds`` are not part of it: the same input gives the same document.
    """

    unavailable: str | None
    states: int
    trees: list[ReplayedTree]
    build: str | None = None
    test: str | None = None
    flaky: list[str] = field(default_factory=list)
    compared: int = 0
    disagreements: list[ReplayComparison] = field(default_factory=list)
    refuted: dict[str, RefutedPass] | UnsetType = UNSET


class Score(Struct):
    schema: str
    trajectory: Header
    rigor_score: float | None
    evidence_share: float | None
    pillars: dict[str, Pillar]
    extended: dict[str, SubMetric] = field(default_factory=dict)
    replay: ReplaySummary | UnsetType = UNSET


class ScoreFinding(Struct):
    """Something that cost score: ``cost`` in RigorScore points (0-1), the event that shows it, and a quote of it."""

    pillar: str
    submetric: str
    cost: float
    text: str
    event: str | None
    step: int | None
    quote: str | None


class SessionReport(Struct):
    """Everything the views need about one scored session."""

    trajectory: Trajectory
    events: list[AnyEvent]
    score: Score
    findings: list[ScoreFinding]
    replay: ReplayResult | None = None
