"""The review of one submission: every rule, every criterion, one score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ...base.version import __version__
from ...problems.model import Problem
from ..submission import Submission
from . import coderules, filerules, history
from .context import ReviewContext
from .criteria import judge_criteria
from .model import MAX_FINDINGS, Check, ReviewResult, RuleResult, Undecidable, review_score
from .spec import Review, Rule, load_review

if TYPE_CHECKING:
    from ...panel.verdicts import Votes

CHECKS: dict[type[Any], Check] = {**coderules.CHECKS, **filerules.CHECKS, **history.CHECKS}


def review(
    problem: Problem, submission: Submission, votes: Votes | None = None, *, base: str | None = None
) -> ReviewResult:
    """Review a submission by the problem's ``review.toml``; one without has no score.

    Nothing of the submission is run. ``votes``: what a panel said of the criteria's cases (a
    :class:`~rigorbench.panel.votes.VoteStore`); without, what features of the text say, as far as they can. ``base``:
    the commit that the author was given; it and those before it are left out of the history.

    Raises:
        PackageError: ``review.toml`` cannot be used.
    """
    rules = load_review(problem.review.path) if problem.review is not None else Review()
    context = ReviewContext(problem, submission, base)
    result = ReviewResult(problem.id, submission.digest, rules.digest, None, judge=__version__)
    result.rules = [_check_rule(rule, context) for rule in rules.rules]
    result.criteria = judge_criteria(rules.criteria, context, votes)
    result.score = review_score(result.rules, result.criteria)
    result.notes = _notes(context, bool(rules.rules or rules.criteria))
    return result


def _check_rule(rule: Rule, context: ReviewContext) -> RuleResult:
    result = RuleResult(rule.id, rule.kind, rule.text, "passed")
    try:
        found = list(dict.fromkeys(CHECKS[type(rule)](rule, context)))
    except Undecidable as reason:
        result.outcome, result.reason = "error", str(reason)
        return result
    except (OSError, RecursionError, MemoryError) as error:
        # A check that broke has not shown that the rule is kept.
        result.outcome, result.reason = "error", f"could not be carried out ({type(error).__name__}: {error})"[:300]
        return result
    if found:
        result.outcome = "failed"
        result.findings, result.more = found[:MAX_FINDINGS], max(0, len(found) - MAX_FINDINGS)
    return result


def _notes(context: ReviewContext, any_rules: bool) -> list[str]:
    if not any_rules:
        return ["the problem has no review.toml: there is nothing to review by"]
    try:
        links = context.sources.links
    except Undecidable as reason:
        return [str(reason)]
    return [f"{len(links)} links and special files were not looked into"] if links else []


def encode(result: ReviewResult) -> bytes:
    """The result as JSON, with the counts that it implies."""
    document = msgspec.to_builtins(result)
    document["over"] = {
        "rules": len(result.rules),
        "passed": result.passed,
        "errors": sum(rule.outcome == "error" for rule in result.rules),
        "criteria": len(result.criteria),
        "scored": result.scored,
    }
    document["complete"] = result.complete
    return msgspec.json.encode(document)
