"""The code review of a run's best submission, and the questions about it for a panel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...base.files import read_json, write_json
from ...experiment.model import ProjectOutcome
from ...judge.model import JudgeError
from ...judge.submission import Submission
from ...problems.model import PackageError
from ...tasks.projects import problem_of
from ...tasks.suite import SuiteTask
from ...tasks.task import TaskError
from .submissions import FILES, HISTORY, INDEX, SUBMISSIONS, Submissions, Submitted

if TYPE_CHECKING:
    from ...panel.model import Case
    from ...panel.verdicts import Votes

REVIEW = "review.json"
_NOT_COMPILED = "compile_error"


def review_of(
    task: SuiteTask,
    directory: Path,
    submitted: Sequence[Submitted],
    best: int | None,
    base: str | None,
    votes: Votes | None = None,
) -> tuple[float | None, str | None]:
    """The review of the best submission, between 0 and 100, or why there is none.

    Without any submission, and for one that does not compile, it is 0: there is no program whose code could be good.

    Args:
        directory: of the run.
        base: the commit that the agent was given.
        votes: of the experiment's panel.
    """
    from ...judge.codereview import review

    entry = next((s for s in submitted if s.number == best), None)
    if entry is None:
        return (0.0, None) if not submitted else (None, "review: no submission was judged")
    if entry.verdict == _NOT_COMPILED:
        return 0.0, None
    try:
        found = review(problem_of(task.directory), _submission(directory, entry), votes, base=base)
    except (JudgeError, PackageError, TaskError) as error:
        return None, f"review: {error}"
    write_json(directory / SUBMISSIONS / str(entry.number) / REVIEW, found)
    return found.score, None if found.score is not None else "review: nothing in it could be scored"


def review_again(
    task: SuiteTask, directory: Path, project: ProjectOutcome, base: str | None, votes: Votes | None
) -> ProjectOutcome:
    """The outcome with the review by the votes of today; everything else stays as it is."""
    from ...judge.scores.formulas import final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, Submissions)
    if kept is None:
        return project
    score, _ = review_of(task, directory, kept.submitted, project.best, base, votes)
    return replace(project, review=score, final=final_score(project.execution, score))


def criteria_cases(task: SuiteTask, directory: Path, best: int | None, base: str | None) -> list[Case]:
    """What a panel, or a person, is asked about the code of the best submission; nothing where nothing is reviewed."""
    from ...judge.codereview.context import ReviewContext
    from ...judge.codereview.criteria import criterion_cases
    from ...judge.codereview.spec import load_review

    kept = read_json(directory / SUBMISSIONS / INDEX, Submissions)
    entry = next((s for s in kept.submitted if s.number == best), None) if kept is not None else None
    if entry is None or entry.verdict == _NOT_COMPILED:
        return []
    try:
        problem = problem_of(task.directory)
        if problem.review is None:
            return []
        criteria = load_review(problem.review.path).criteria
        return criterion_cases(criteria, ReviewContext(problem, _submission(directory, entry), base))
    except (JudgeError, PackageError, TaskError):
        return []


def _submission(directory: Path, entry: Submitted) -> Submission:
    kept = directory / SUBMISSIONS / str(entry.number)
    return Submission(
        root=kept / FILES,
        language=entry.language,
        digest=entry.digest,
        kind=entry.kind,
        revision=entry.revision,
        history=kept / HISTORY if entry.history else None,
    )
