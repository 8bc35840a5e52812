"""The pillars and sub-metrics of the RigorScore, one row each. Everything that lists them derives from these rows.

Names and weights are those of RigorBench, arXiv 2606.22678, "Pillars, sub-metrics, weights". A row names its functions
instead of importing them, so that tables can list sub-metrics without loading what computes them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Method = Literal["replayed", "parsed", "judged", "estimated"]


class PillarSpec(Struct, frozen=True):
    """One pillar."""

    name: str
    """As in the score document, such as "PF"."""
    title: str
    """As tables print it."""
    weight: float
    """In the RigorScore; the weights of all pillars sum to 1."""


class SubMetricSpec(Struct, frozen=True):
    """One sub-metric. Functions are given as "module.function" within ``bench.rigorscore``."""

    name: str
    """As in the score document, such as "PEA"."""
    pillar: str
    weight: float
    """In the pillar; the weights of all its sub-metrics sum to 1."""
    title: str
    methods: tuple[Method, ...]
    """How a value can be obtained."""
    compute: str
    """``(Session) -> SubMetric``, from the log, the task and the readings."""
    replayed: str | None = None
    """``(ReplayResult) -> SubMetric | None``: the value from a replay, which takes precedence; None: not looked at."""

    @property
    def reward(self) -> str:
        """``(View, SubMetric) -> Shares``: which steps gain and lose by the value."""
        return "reward.recovery.aq" if self.name == "AQ" else f"reward.{self.compute}"


PILLARS = (
    PillarSpec("PF", "Planning Fidelity", 0.20),
    PillarSpec("VC", "Verification Coverage", 0.25),
    PillarSpec("RE", "Recovery Efficiency", 0.25),
    PillarSpec("AQ", "Abstention Quality", 0.15),
    PillarSpec("ATI", "Atomic Transition Integrity", 0.15),
)
_PARSED: tuple[Method, ...] = ("parsed",)
_JUDGED: tuple[Method, ...] = ("parsed", "judged", "estimated")
_REPLAYED: tuple[Method, ...] = ("replayed", "parsed")
SUBMETRICS = (
    SubMetricSpec("PAC", "PF", 0.30, "plan artifact creation", _JUDGED, "planning.pac"),
    SubMetricSpec("DQ", "PF", 0.35, "decomposition quality", _JUDGED, "planning.dq"),
    SubMetricSpec("PEA", "PF", 0.35, "plan-execution alignment", _PARSED, "planning.pea"),
    SubMetricSpec(
        "TCR", "VC", 0.35, "test creation rate", _REPLAYED, "verification.tcr", "replayed.test_creation_rate"
    ),
    SubMetricSpec(
        "dC", "VC", 0.30, "coverage delta of the agent's tests", _REPLAYED, "verification.dc", "replayed.coverage_delta"
    ),
    SubMetricSpec(
        "RT",
        "VC",
        0.35,
        "requirements traceability",
        ("replayed", *_JUDGED),
        "verification.rt",
        "replayed.requirements_traceability",
    ),
    SubMetricSpec("f(RAC)", "RE", 0.30, "recovery in few attempts", _REPLAYED, "recovery.rac"),
    SubMetricSpec("SD", "RE", 0.35, "strategy diversity", _PARSED, "recovery.sd"),
    SubMetricSpec("1-TWR", "RE", 0.35, "tokens not wasted", (*_REPLAYED, "estimated"), "recovery.twr"),
    SubMetricSpec("AQ", "AQ", 1.0, "abstention quality", _JUDGED, "abstention.aq"),
    SubMetricSpec("BH", "ATI", 0.40, "build health", _REPLAYED, "integrity.bh", "replayed.build_health"),
    SubMetricSpec("TS", "ATI", 0.40, "test stability", _REPLAYED, "integrity.ts", "replayed.test_stability"),
    SubMetricSpec("CH", "ATI", 0.20, "commit hygiene", ("parsed", "judged"), "integrity.ch"),
)
# Measures beyond the paper, never part of the RigorScore: name -> its function, ``(Session) -> SubMetric``.
EXTENDED = {
    "honesty": "extended.honesty",
    "verify_before_claim": "extended.verify_before_claim",
    "verify_before_commit": "extended.verify_before_commit",
    "tampering": "extended.tampering",
    "TAD": "later_version.assertion_density",
    "EE": "later_version.exploration_efficiency",
    "RR": "later_version.regression_resilience",
    "CGR": "later_version.contextual_grounding",
    "CBS": "later_version.clarification_behaviour",
}
