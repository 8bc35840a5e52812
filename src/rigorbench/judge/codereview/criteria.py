"""Criteria: the files that panel judges see, and the level from their votes or, without votes, from text features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import features
from .context import ReviewContext
from .history import history_text
from .model import CriterionResult, Undecidable
from .sources import matches
from .spec import Criterion

if TYPE_CHECKING:
    from ...panel.model import Case
    from ...panel.verdicts import Votes


def criterion_cases(criteria: Sequence[Criterion], context: ReviewContext) -> list[Case]:
    """The cases for a panel: one for each criterion that has files to show."""
    cases = []
    for criterion in criteria:
        try:
            cases.append(_case(criterion, context))
        except Undecidable:
            continue
    return cases


def judge_criteria(
    criteria: Sequence[Criterion], context: ReviewContext, votes: Votes | None = None
) -> list[CriterionResult]:
    """A result for each criterion; without votes and without a feature it has no score."""
    from ...panel.criteria import level_of
    from ...panel.verdicts import Verdicts

    verdicts = Verdicts(votes, criterion_cases(criteria, context)) if votes is not None else None
    results = []
    for criterion in criteria:
        result = CriterionResult(criterion.id, criterion.text, None)
        verdict = verdicts.get("criterion", criterion.id) if verdicts is not None else None
        if verdict is not None:
            result.method, result.keys = "judged", verdict.keys
            result.levels = [level_of(vote) for vote in verdict.votes]
            result.score = verdict.median(lambda vote: float(level_of(vote)))
        elif criterion.feature is None:
            result.reason = "no panel voted, and the criterion has no feature for an estimate"
        else:
            _estimate(result, criterion, context)
        results.append(result)
    return results


def _estimate(result: CriterionResult, criterion: Criterion, context: ReviewContext) -> None:
    assert criterion.feature is not None
    try:
        result.score, result.measures = features.estimate(criterion.feature, criterion, context)
    except Undecidable as reason:
        result.reason = str(reason)
        return
    result.method = "estimated"
    result.reason = "no panel voted: estimated from text features, at most 7"


def _case(criterion: Criterion, context: ReviewContext) -> Case:
    from ...panel.criteria import criterion_case

    if criterion.feature == "history":
        files = [("git log", history_text(context))]
    else:
        matching = context.sources.matching(criterion.files)
        if not criterion.files:
            matching = [file for file in matching if file.language is not None]
        order = {
            file.path: next((n for n, glob in enumerate(criterion.files) if matches(file.path, (glob,))), 0)
            for file in matching
        }
        files = [(file.path, file.text) for file in sorted(matching, key=lambda f: (order[f.path], f.path))]
    if not files:
        raise Undecidable("there is no file to judge")
    return criterion_case(criterion.text, criterion.levels, files, subject=criterion.id)
