"""The review of one submission: every rule, every criterion, one score."""

from __future__ import annotations

from typing import Any

import msgspec

from ...base.points import PointReaders
from ...base.version import __version__
from ..problems.problem import Problem
from ..submission import Submission
from . import coderules, filerules, history
from .compiled import ReviewContext
from .criteria import judge_criteria
from .result import MAX_FINDINGS, Check, ReviewResult, RuleResult, Undecidable, review_score
from .spec import ReviewRules, Rule, load_review

CHECKS: dict[type[Any], Check] = {**coderules.CHECKS, **filerules.CHECKS, **history.CHECKS}


def review(
    problem: Problem, submission: Submission, readers: PointReaders | None = None, *, base: str | None = None
) -> ReviewResult:
    """Review a submission by the ``review.toml`` of its problem, without running its program.

    C and C++ are compiled in the sandbox, by the submission's own build where it has one.

        readers: Without one a criterion is estimated from features of the text where it names one.
        base: The commit that the author started from; it and earlier commits are left out of the history.

    Raises: PackageError: ``review.toml`` cannot be used.
    """
    rules = load_review(problem.review) if problem.review is not None else ReviewRules()
    named = [rule.files for rule in rules.rules if type(rule) in coderules.CHECKS]
    context = ReviewContext(problem, submission, base, named)
    result = ReviewResult(problem.id, submission.digest, rules.digest, None, judge=__version__)
    result.rules = [_check_rule(rule, context) for rule in rules.rules]
    result.criteria, failed = judge_criteria(rules.criteria, context, readers)
    result.score = review_score(result.rules, result.criteria)
    try:
        links = len(context.sources.links)
        notes = [f"{links} links and special files were not read"] if links else []
    except Undecidable as reason:
        notes = [str(reason)]
    if not (rules.rules or rules.criteria):
        notes = ["the problem has no review.toml, so nothing was reviewed"]
    result.notes = notes + failed
    return result


def _check_rule(rule: Rule, context: ReviewContext) -> RuleResult:
    result = RuleResult(rule.id, rule.kind, rule.text, "passed", disqualifies=rule.disqualifies)
    try:
        found = list(dict.fromkeys(CHECKS[type(rule)](rule, context)))
    except Undecidable as reason:
        result.outcome, result.reason = "error", str(reason)
        return result
    except (OSError, RecursionError, MemoryError) as error:
        # A check that crashed has not shown that the rule is kept.
        result.outcome, result.reason = "error", f"the check failed ({type(error).__name__}: {error})"[:300]
        return result
    if found:
        result.outcome = "failed"
        result.findings, result.more = found[:MAX_FINDINGS], max(0, len(found) - MAX_FINDINGS)
    return result


def encode(result: ReviewResult) -> bytes:
    """The result as JSON, with its counts under "over"."""
    document = msgspec.to_builtins(result)
    document["over"] = {
        "rules": len(result.rules),
        "passed": result.passed,
        "errors": sum(rule.outcome == "error" for rule in result.rules),
        "criteria": len(result.criteria),
        "scored": result.scored,
    }
    document["complete"] = result.complete
    document["disqualified"] = result.disqualified
    return msgspec.json.encode(document)
