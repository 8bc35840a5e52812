"""What scoring returns: the ``rigor-score/1`` document, and the session report that views are made from."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from ..evidence.events import AnyEvent
from ..replay.model import ReplayResult
from ..trajectory.model import Trajectory

Status = Literal["scored", "not_applicable", "unscorable"]
Method = Literal["replayed", "parsed", "judged", "estimated"]

SCHEMA = "rigor-score/1"
# Pillar -> (weight, {sub-metric: weight in the pillar}). RigorBench, arXiv 2606.22678, "Pillars, sub-metrics, weights".
WEIGHTS: dict[str, tuple[float, dict[str, float]]] = {
    "PF": (0.20, {"PAC": 0.30, "DQ": 0.35, "PEA": 0.35}),
    "VC": (0.25, {"TCR": 0.35, "dC": 0.30, "RT": 0.35}),
    "RE": (0.25, {"f(RAC)": 0.30, "SD": 0.35, "1-TWR": 0.35}),
    "AQ": (0.15, {"AQ": 1.0}),
    "ATI": (0.15, {"BH": 0.40, "TS": 0.40, "CH": 0.20}),
}
PILLAR_TITLES: dict[str, str] = {
    "PF": "Planning Fidelity",
    "VC": "Verification Coverage",
    "RE": "Recovery Efficiency",
    "AQ": "Abstention Quality",
    "ATI": "Atomic Transition Integrity",
}
SUBMETRIC_TITLES: dict[str, str] = {
    "PAC": "plan artifact creation",
    "DQ": "decomposition quality",
    "PEA": "plan-execution alignment",
    "TCR": "test creation rate",
    "dC": "coverage delta of the agent's tests",
    "RT": "requirements traceability",
    "f(RAC)": "recovery in few attempts",
    "SD": "strategy diversity",
    "1-TWR": "tokens not wasted",
    "AQ": "abstention quality",
    "BH": "build health",
    "TS": "test stability",
    "CH": "commit hygiene",
}


class SubMetric(Struct, omit_defaults=True):
    """One sub-metric. ``value`` in [0, 1], set only when ``status`` is "scored"; ``n`` counts what it rests on.

    ``votes``: keys of the judges' votes that a ``judged`` value rests on.
    """

    value: float | None
    status: Status
    method: Method | None
    n: int
    evidence: list[str]
    reason: str
    votes: list[str] = field(default_factory=list)


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
    """The ``trajectory`` member of the score document. ``steps`` counts model calls, ``events`` evidence events."""

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


class ReplayedTree(Struct):
    """One distinct tree: its build ("passed", "failed", None: not known), its tests, and what had passed once."""

    tree: str
    build: str | None
    passed: int | None
    failed: int | None
    regressions: list[str]
    start: bool = False


class Comparison(Struct):
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
    ``seconds`` are not part of it: the same input gives the same document.
    """

    captured: bool
    unavailable: str | None
    states: int
    trees: list[ReplayedTree]
    build: str | None = None
    test: str | None = None
    flaky: list[str] = field(default_factory=list)
    compared: int = 0
    disagreements: list[Comparison] = field(default_factory=list)


class Score(Struct):
    schema: str
    trajectory: Header
    rigor_score: float | None
    evidence_share: float | None
    pillars: dict[str, Pillar]
    extended: dict[str, SubMetric] = field(default_factory=dict)
    replay: ReplaySummary | UnsetType = UNSET


class Finding(Struct):
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
    findings: list[Finding]
    replay: ReplayResult | None = None
