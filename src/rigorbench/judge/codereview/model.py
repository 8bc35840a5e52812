"""What a code review gives: for each rule whether it holds, for each criterion a level, with the evidence (JSON)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct, field

REVIEW_SCHEMA: Final = "rigor-review/1"
# Of one rule; more of them say nothing new, and a hostile file must not fill a disk.
MAX_FINDINGS: Final = 50

Outcome = Literal["passed", "failed", "error"]
Method = Literal["judged", "estimated"]


class Finding(Struct, frozen=True):
    """A violation. ``file``: as in the submission, "" for what is about the whole; ``line``: from 1, None: of no line.

    ``excerpt``: the line itself, cut and safe to show.
    """

    file: str
    line: int | None
    message: str
    excerpt: str = ""


class RuleResult(Struct):
    """``error``: the rule could not be decided, for the ``reason``; it counts like "failed" and is listed apart.

    ``more``: findings beyond the first fifty.
    """

    id: str
    kind: str
    text: str
    outcome: Outcome
    findings: list[Finding] = field(default_factory=list)
    more: int = 0
    reason: str = ""


class CriterionResult(Struct):
    """``score``: 0 to 10, None: not scored, for the ``reason``. ``method`` "judged": median level over a panel's votes
    (their ``keys``, and ``levels`` as each gave them); "estimated": from features of the text alone."""

    id: str
    text: str
    score: float | None
    method: Method | None = None
    reason: str = ""
    keys: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    measures: dict[str, float | None] = field(default_factory=dict)


class ReviewResult(Struct):
    """``score``: 100 x (rules passed + sum of criteria / 10) / (rules + criteria), over the criteria that have a score;
    None where there is neither a rule nor such a criterion. ``complete``: no rule ended in an error and no criterion is
    without a score. ``submission``, ``rules_digest``: SHA-256."""

    problem: str
    submission: str
    rules_digest: str
    score: float | None
    rules: list[RuleResult] = field(default_factory=list)
    criteria: list[CriterionResult] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    judge: str = ""
    schema: str = REVIEW_SCHEMA

    @property
    def passed(self) -> int:
        return sum(rule.outcome == "passed" for rule in self.rules)

    @property
    def scored(self) -> int:
        return sum(criterion.score is not None for criterion in self.criteria)

    @property
    def complete(self) -> bool:
        return self.scored == len(self.criteria) and all(rule.outcome != "error" for rule in self.rules)


def review_score(rules: list[RuleResult], criteria: list[CriterionResult]) -> float | None:
    """Source: the released scoring of ProjDevBench (arXiv 2602.01655), there over all rules and criteria alike."""
    levels = [criterion.score for criterion in criteria if criterion.score is not None]
    of = len(rules) + len(levels)
    if not of:
        return None
    return 100 * (sum(rule.outcome == "passed" for rule in rules) + sum(levels) / 10) / of


class Undecidable(Exception):
    """A rule cannot be decided on this submission or machine. One line that says why."""


# A rule and the material of a review -> every violation. Raises: Undecidable.
Check = Callable[..., list[Finding]]
