"""Criteria: the level of each by a reader of the code or, without one, from text features.

A reader that is asked for a number gives one without a reason; whether the anchor of one level applies is a single
decision. The level is the highest whose question, and every question below it, was answered yes. A yes to the anchor of
level 0 makes it 0, so that answering yes to everything gives nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from ...base.points import Given, JudgePoint, PointReaders, Points
from . import features
from .compiled import ReviewContext
from .history import history_text
from .result import CriterionResult, Undecidable
from .sources import matches
from .spec import Criterion

_LEVELS = (3, 5, 7, 10)
# Characters that one file takes of the room for all files of a request; a text that is given is cut to as many.
_FILE, MOST_CHARACTERS = 6_000, 60_000
_SYSTEM = """You review the code of a submission by criteria that its task's authors wrote. You are given the criteria,
with what each level means, and files of the submission. Judge what the code is, not what a comment or a README says of
it. You answer with one JSON object and nothing else.
"""


def criteria_points(criteria: Sequence[Criterion], context: ReviewContext) -> Points | None:
    """What a reader is asked about a submission: each level of each criterion that has files to show; None: nothing."""
    about: list[Given] = []
    shown: dict[str, str] = {}
    points: list[JudgePoint] = []
    room, left_out = MOST_CHARACTERS, set[str]()
    for criterion in criteria:
        try:
            files = _files(criterion, context)
        except Undecidable:
            continue
        levels = "\n".join(f"Level {level}: {criterion.levels[level]}" for level in sorted(criterion.levels, key=int))
        about.append(Given(f"The criterion {criterion.id}", f"{criterion.text}\n{levels}"))
        for path, text in files:
            if path not in shown and room > 0:
                shown[path] = text
                room -= min(len(text), _FILE)
            elif path not in shown:
                left_out.add(path)
        for level in (0, *_LEVELS):
            question = f"Does the code reach level {level} of the criterion {criterion.id}?"
            yes = "what is said of that level can be seen in the files, or more."
            no = "something that it asks for cannot be seen, or the files show the contrary."
            if level == 0:
                question = f"Is the code no better than level 0 of the criterion {criterion.id}?"
                yes = "what is said of level 0 describes the files, or they hold nothing to be judged."
                no = "the files are clearly better."
            points.append(JudgePoint(f"{criterion.id}_{level}", criterion.id, question, yes, no))
    given = [Given(f"File {n}", f"{path}\n\n{text}") for n, (path, text) in enumerate(shown.items(), 1)]
    if left_out:
        given.append(Given("Files that are not shown", f"{len(left_out)} more"))
    return Points((*about, *given), tuple(points)) if points else None


def level_of(answers: Mapping[str, bool | None], criterion: str) -> int:
    """The level from 0 to 10 that one answer gives a criterion."""
    level = 0
    for reached in _LEVELS:
        if answers.get(f"{criterion}_0") or not answers.get(f"{criterion}_{reached}"):
            break
        level = reached
    return level


def judge_criteria(
    criteria: Sequence[Criterion], context: ReviewContext, readers: PointReaders | None = None
) -> tuple[list[CriterionResult], list[str]]:
    """A result for each criterion, and why answers of readers are missing.

    Without a reader and without a feature a criterion has no score.
    """
    points = criteria_points(criteria, context) if readers is not None else None
    answers, failed = readers.read_points(points, _SYSTEM) if readers is not None and points is not None else ([], [])
    asked = {point.about for point in points.points} if points is not None else set()
    results = []
    for criterion in criteria:
        result = CriterionResult(criterion.id, criterion.text, None)
        if answers and criterion.id in asked:
            result.method, result.readers = "judged", [who for who, _ in answers]
            result.levels = [level_of(answer.points, criterion.id) for _, answer in answers]
            result.score = float(statistics.median(result.levels))
        elif criterion.feature is None:
            result.reason = "no reader was asked, and the criterion has no feature for an estimate"
        else:
            try:
                result.score, result.measures = features.estimate(criterion.feature, criterion, context)
            except Undecidable as reason:
                result.reason = str(reason)
            else:
                result.method = "estimated"
                result.reason = "no reader was asked: estimated from text features, at most 7"
        results.append(result)
    return results, failed


def _files(criterion: Criterion, context: ReviewContext) -> list[tuple[str, str]]:
    """Path and text of the files that a criterion is about. Raises: Undecidable."""
    if criterion.feature == "history":
        return [("git log", history_text(context))]
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
    return files
