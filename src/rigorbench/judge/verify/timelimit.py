"""The time limit of a package that gives none: as the Kattis format has it, from its slowest accepted submission."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from msgspec import structs

from ..judgement import JudgeError, Judgement, Submission, SubmissionError
from ..problems.problem import Problem, TimeRule
from ..submission import from_path
from .expectations import points_of
from .proof import PackageCheck

# Seconds that an accepted submission may take while the limit is not known.
_MOST: Final = 60.0


class Judging(Protocol):
    """The part of `rigorbench.judge.engine.judge.Judge` that is used here."""

    def judge(self, problem: Problem, submission: Submission) -> Judgement: ...


def find_time_limit(
    problem: Problem, judge: Judging, place: Path, progress: Callable[[str], None] = lambda text: None
) -> tuple[Problem, PackageCheck]:
    """The problem with a time limit, and the evidence for it. `place`: a directory for copies of the submissions."""
    rule = problem.time_rule or TimeRule()
    generous = structs.replace(problem, limits=structs.replace(problem.limits, time=_MOST))
    slowest, by = 0.0, ""
    for index, expected in enumerate(problem.submissions):
        if expected.label != "accepted":
            continue
        progress(f"time limit: {expected.path.name}")
        try:
            submission = from_path(
                expected.path, place / str(index), language=expected.language, limit=problem.limits.code
            )
            judgement = judge.judge(generous, submission)
        except (SubmissionError, JudgeError):
            # It is reported where its label is checked.
            continue
        if judgement.verdict == "accepted":
            taken = max((point.usage.cpu or 0.0 for point in points_of(judgement)), default=0.0)
            if taken >= slowest:
                slowest, by = taken, expected.path.name
    if not by:
        text = f"none is given and no accepted submission shows one; {problem.limits.time:g} s is used"
        return problem, PackageCheck("time limit", "skipped", text)
    # The smallest multiple of the resolution.
    limit = max(1, math.ceil(slowest * rule.factor / rule.resolution - 1e-9)) * rule.resolution
    text = f"{limit:g} s, {rule.factor:g} times the {slowest:.3f} s of {by}, rounded up"
    return structs.replace(problem, limits=structs.replace(problem.limits, time=limit)), PackageCheck(
        "time limit", "ok", text
    )
