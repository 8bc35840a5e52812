"""The result of a code review: an outcome for each rule and a score for each criterion, with evidence (JSON)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct, field

REVIEW_SCHEMA: Final = "rigor-review/1"
# Findings kept for one rule. More add nothing, and a hostile file must not fill a disk.
MAX_FINDINGS: Final = 50

Outcome = Literal["passed", "failed", "error"]
Method = Literal["judged", "estimated"]


class Violation(Struct, frozen=True):
    """One violation of a rule."""

    file: str
    """The path in the submission; "" for the whole submission."""
    line: int | None
    message: str
    excerpt: str = ""
    """The line itself, shortened and safe to print."""


class RuleResult(Struct):
    """The result of one rule; an "error", which is a rule that could not be decided, counts as not kept."""

    id: str
    kind: str
    text: str
    outcome: Outcome
    findings: list[Violation] = field(default_factory=list)
    more: int = 0
    """The number of further violations."""
    reason: str = ""
    disqualifies: bool = False
    """Who breaks it has no points; an "error" does not."""


class CriterionResult(Struct):
    """The result of one criterion: the median level of its readers, or an estimate from measures of the text."""

    id: str
    text: str
    score: float | None
    method: Method | None = None
    reason: str = ""
    """Why there is no score, or how it was estimated."""
    readers: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    measures: dict[str, float | None] = field(default_factory=dict)


class ReviewResult(Struct):
    """The result of one review. Digests are SHA-256; `score` is from 0 to 100, see :func:`review_score`."""

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
    def disqualified(self) -> list[str]:
        """The broken rules for which the submission has no points."""
        return [rule.id for rule in self.rules if rule.disqualifies and rule.outcome == "failed"]

    @property
    def passed(self) -> int:
        return sum(rule.outcome == "passed" for rule in self.rules)

    @property
    def scored(self) -> int:
        return sum(criterion.score is not None for criterion in self.criteria)

    @property
    def complete(self) -> bool:
        """Whether no rule ended in an error and every criterion has a score."""
        return self.scored == len(self.criteria) and all(rule.outcome != "error" for rule in self.rules)


def review_score(rules: list[RuleResult], criteria: list[CriterionResult]) -> float | None:
    """100 x (rules passed + sum of scores / 10) / (rules + scored criteria); None when there is neither.

    Source: the released scoring of ProjDevBench (arXiv 2602.01655), which counts all rules and criteria alike.
    """
    levels = [criterion.score for criterion in criteria if criterion.score is not None]
    of = len(rules) + len(levels)
    if not of:
        return None
    return 100 * (sum(rule.outcome == "passed" for rule in rules) + sum(levels) / 10) / of


class Undecidable(Exception):
    """A rule cannot be decided on this submission or machine. The message is one line with the reason."""


# (rule, context) -> all violations. Raises: Undecidable.
Check = Callable[..., list[Violation]]
