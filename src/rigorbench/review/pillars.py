"""The pillars and sub-metrics of the RigorScore, one row each. Everything that lists them derives from these rows.

Names and weights are those of RigorBench, arXiv 2606.22678, "Pillars, sub-metrics, weights". A row names its functions
instead of importing them, so that tables can list sub-metrics without loading what computes them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Method = Literal["replayed", "parsed", "judged", "estimated"]


class PillarSpec(Struct, frozen=True):
    """One pillar.

    Attributes:
        name: as in the score document, such as "PF".
        title: as tables print it.
        weight: in the RigorScore; the weights of all pillars sum to 1.
    """

    name: str
    title: str
    weight: float


class SubMetricSpec(Struct, frozen=True):
    """One sub-metric. Functions are given as "module.function" within ``bench.rigorscore``.

    Attributes:
        name: as in the score document, such as "PEA".
        pillar: the name of its pillar.
        weight: in the pillar; the weights of all its sub-metrics sum to 1.
        title: as tables print it.
        methods: how a value can be obtained.
        compute: ``(Session) -> SubMetric``, from the log, the task and the readings.
        reward: ``(View, SubMetric) -> Shares``: which steps gain and lose by the value.
        replayed: ``(ReplayResult) -> SubMetric | None``: the value from a replay, which takes precedence; None where
            the replay did not look at it.
    """

    name: str
    pillar: str
    weight: float
    title: str
    methods: tuple[Method, ...]
    compute: str
    reward: str
    replayed: str | None = None


PILLARS = (
    PillarSpec("PF", "Planning Fidelity", 0.20),
    PillarSpec("VC", "Verification Coverage", 0.25),
    PillarSpec("RE", "Recovery Efficiency", 0.25),
    PillarSpec("AQ", "Abstention Quality", 0.15),
    PillarSpec("ATI", "Atomic Transition Integrity", 0.15),
)
SUBMETRICS = (
    SubMetricSpec("PAC", "PF", 0.30, "plan artifact creation", ("parsed",), "planning.pac", "reward.planning.pac"),
    SubMetricSpec(
        "DQ",
        "PF",
        0.35,
        "decomposition quality",
        ("parsed", "judged", "estimated"),
        "planning.dq",
        "reward.planning.dq",
    ),
    SubMetricSpec("PEA", "PF", 0.35, "plan-execution alignment", ("parsed",), "planning.pea", "reward.planning.pea"),
    SubMetricSpec(
        "TCR",
        "VC",
        0.35,
        "test creation rate",
        ("replayed", "parsed"),
        "verification.tcr",
        "reward.verification.tcr",
        "replayed.test_creation_rate",
    ),
    SubMetricSpec(
        "dC",
        "VC",
        0.30,
        "coverage delta of the agent's tests",
        ("replayed", "parsed"),
        "verification.dc",
        "reward.verification.dc",
        "replayed.coverage_delta",
    ),
    SubMetricSpec(
        "RT",
        "VC",
        0.35,
        "requirements traceability",
        ("replayed", "parsed", "judged", "estimated"),
        "verification.rt",
        "reward.verification.rt",
        "replayed.requirements_traceability",
    ),
    SubMetricSpec(
        "f(RAC)",
        "RE",
        0.30,
        "recovery in few attempts",
        ("replayed", "parsed"),
        "recovery.rac",
        "reward.recovery.rac",
    ),
    SubMetricSpec("SD", "RE", 0.35, "strategy diversity", ("parsed",), "recovery.sd", "reward.recovery.sd"),
    SubMetricSpec(
        "1-TWR",
        "RE",
        0.35,
        "tokens not wasted",
        ("replayed", "parsed", "estimated"),
        "recovery.twr",
        "reward.recovery.twr",
    ),
    SubMetricSpec(
        "AQ",
        "AQ",
        1.0,
        "abstention quality",
        ("parsed", "judged", "estimated"),
        "abstention.aq",
        "reward.recovery.aq",
    ),
    SubMetricSpec(
        "BH",
        "ATI",
        0.40,
        "build health",
        ("replayed", "parsed"),
        "integrity.bh",
        "reward.integrity.bh",
        "replayed.build_health",
    ),
    SubMetricSpec(
        "TS",
        "ATI",
        0.40,
        "test stability",
        ("replayed", "parsed"),
        "integrity.ts",
        "reward.integrity.ts",
        "replayed.test_stability",
    ),
    SubMetricSpec("CH", "ATI", 0.20, "commit hygiene", ("parsed", "judged"), "integrity.ch", "reward.integrity.ch"),
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
