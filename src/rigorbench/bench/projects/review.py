"""The code review of a run's best submission."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...base.files import read_json, write_json
from ...judge.judgement import JudgeError
from ...judge.problems.problem import PackageError
from ...judge.submission import Submission
from ...session.task import TaskError
from ..experiment.records import ProjectOutcome
from ..tasks.projects import problem_of
from ..tasks.suite import SuiteTask
from .submissions import FILES, HISTORY, INDEX, SUBMISSIONS, SubmissionIndex, Submitted

if TYPE_CHECKING:
    from ...review.reader.ask import Readers

REVIEW = "review.json"
_NOT_COMPILED = "compile_error"


def review_of(
    task: SuiteTask,
    directory: Path,
    submitted: Sequence[Submitted],
    best: int | None,
    base: str | None,
    readers: Readers | None = None,
) -> tuple[float | None, str | None]:
    """The review of the best submission, between 0 and 100, or why there is none.

    Without any submission, and for one that does not compile, it is 0: there is no program whose code could be good.

    Args:
        base: the commit that the agent was given.
    """
    from ...judge.codereview.reviewing import review

    entry = next((s for s in submitted if s.number == best), None)
    if entry is None:
        return (0.0, None) if not submitted else (None, "review: no submission was judged")
    if entry.verdict == _NOT_COMPILED:
        return 0.0, None
    try:
        kept = directory / SUBMISSIONS / str(entry.number)
        found = review(
            problem_of(task.directory),
            Submission(
                root=kept / FILES,
                language="auto" if entry.language == "git" else entry.language,  # older runs have the transport
                digest=entry.digest,
                kind=entry.kind,
                revision=entry.revision,
                history=kept / HISTORY if entry.history else None,
            ),
            readers,
            base=base,
        )
    except (JudgeError, PackageError, TaskError) as error:
        return None, f"review: {error}"
    write_json(directory / SUBMISSIONS / str(entry.number) / REVIEW, found)
    return found.score, None if found.score is not None else "review: nothing in it could be scored"


def review_again(
    task: SuiteTask, directory: Path, project: ProjectOutcome, base: str | None, readers: Readers | None
) -> ProjectOutcome:
    """The outcome with the review by the answers of its readers; everything else stays as it is."""
    from .scores.formulas import final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, SubmissionIndex)
    if kept is None:
        return project
    score, _ = review_of(task, directory, kept.submitted, project.best, base, readers)
    return replace(project, review=score, final=final_score(project.execution, score))
