"""The outcome of a run on a project: the judge's verdicts on its submissions, and the review of the best one."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...base.files import read_json, write_json
from ...experiment.model import Outcome, ProjectOutcome, SubmissionFact, TestOutcome
from ...experiment.outcome_score import outcome_score
from ...experiment.store import Facts
from ...judge.model import Judgement
from ...tasks.projects import problem_of
from ...tasks.suite import SuiteTask
from ...tasks.task import TaskError
from ...trajectory import journal
from ..outcome.trees import TreeError, read_tree
from .submissions import FILES, HISTORY, INDEX, SUBMISSIONS, Submissions, Submitted


def measure_project(
    task: SuiteTask, directory: Path, facts: Facts, final_tree: str | None, calls: Sequence[float]
) -> tuple[ProjectOutcome, Outcome]:
    """The outcome of a run on a project, as a project and in the terms of all other tasks.

    Args:
        directory: of the run.
        final_tree: the work tree at the end, in the run's store; None: it was not captured.
        calls: when each model call ended, epoch seconds.

    In the terms of other tasks: hidden tests are the test points of the best submission, completeness is its share of
    the points, and a project is solved if it has all of them. What cannot be measured is None, with the reason.
    """
    from ...judge.scores.formulas import best_of_first, final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, Submissions)
    if kept is None:
        reason = f"{directory / SUBMISSIONS / INDEX}: missing or damaged"
        empty = ProjectOutcome(None, None, None, [], None, None, None, [], {}, "", missing=[reason])
        return empty, Outcome(None, None, None, None, reason=reason)
    submitted = [_fact(entry, facts, calls) for entry in kept.submitted]
    counted = [entry for entry in submitted if entry.counted]
    points = [_points(entry) for entry in counted]
    curve = best_of_first(points)
    best = _best(counted, points)
    missing = [f"submission {s.number}: no verdict ({s.reason})" for s in kept.submitted if s.judgement is None]
    if not kept.waited:
        missing.append("not every submission was judged in time")
    execution = curve[-1] if curve else 0.0
    review, why = _review(task, directory, kept, best, facts.start_commit)
    missing += [] if why is None else [why]
    project = ProjectOutcome(
        execution=execution,
        review=review,
        final=final_score(execution, review),
        execution_at=curve,
        first=points[0] if points else None,
        best=best,
        budget=kept.budget,
        submissions=submitted,
        verdicts=dict(Counter(s.verdict or "none" for s in counted)),
        package=kept.package,
        unsubmitted=_unsubmitted(directory, kept.submitted, final_tree),
        missing=missing,
    )
    return project, _outcome(directory, project)


def _fact(entry: Submitted, facts: Facts, calls: Sequence[float]) -> SubmissionFact:
    return SubmissionFact(
        number=entry.number,
        time=round(entry.created - facts.started, 3),
        turn=sum(call <= entry.created for call in calls),
        verdict=entry.verdict,
        score=entry.score,
        full=entry.full,
        counted=entry.counted,
        language=entry.language,
        revision=entry.revision,
        judgement=None if entry.judgement is None else f"{SUBMISSIONS}/{entry.judgement}",
    )


def _points(entry: SubmissionFact) -> float | None:
    """Points between 0 and 100; None: no verdict."""
    if entry.score is None or not entry.full:
        return None
    return 100 * min(1.0, max(0.0, entry.score / entry.full))


def _best(counted: Sequence[SubmissionFact], points: Sequence[float | None]) -> int | None:
    """The number of the best submission; of equal ones, the first."""
    known = [(value, -entry.number) for entry, value in zip(counted, points, strict=True) if value is not None]
    return -max(known)[1] if known else None


def _review(
    task: SuiteTask, directory: Path, kept: Submissions, best: int | None, base: str | None
) -> tuple[float | None, str | None]:
    """The review of the best submission, between 0 and 100, or why there is none; without any submission it is 0."""
    from ...judge.codereview import review
    from ...judge.model import JudgeError
    from ...judge.submission import Submission
    from ...problems.model import PackageError

    entry = next((s for s in kept.submitted if s.number == best), None)
    if entry is None:
        return (0.0, None) if not kept.submitted else (None, "review: no submission was judged")
    kept_in = directory / SUBMISSIONS / str(entry.number)
    taken = Submission(
        root=kept_in / FILES,
        language=entry.language,
        digest=entry.digest,
        kind=entry.kind,
        revision=entry.revision,
        history=kept_in / HISTORY if entry.history else None,
    )
    try:
        found = review(problem_of(task.directory), taken, base=base)
    except (JudgeError, PackageError, TaskError) as error:
        return None, f"review: {error}"
    write_json(kept_in / "review.json", found)
    return found.score, None if found.score is not None else "review: nothing in it could be scored"


def _unsubmitted(directory: Path, submitted: Sequence[Submitted], final_tree: str | None) -> bool | None:
    """Whether the final work tree differs from the last submission; None: not known."""
    if final_tree is None or not submitted:
        return None
    try:
        final = {path: entry.sha for path, entry in read_tree(directory / journal.STORE, final_tree).items()}
    except TreeError:
        return None
    files = directory / SUBMISSIONS / str(submitted[-1].number) / FILES
    last = {p.relative_to(files).as_posix(): _blob(p) for p in sorted(files.rglob("*")) if p.is_file()}
    return final != last


def _blob(path: Path) -> str:
    """The name that git gives to the content of a file."""
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _outcome(directory: Path, project: ProjectOutcome) -> Outcome:
    best = next((s for s in project.submissions if s.number == project.best), None)
    judgement = None if best is None or best.judgement is None else read_json(directory / best.judgement, Judgement)
    if judgement is None:
        why = "nothing was submitted" if not project.submissions else "no submission was judged"
        value = 0.0 if not project.submissions else None
        return Outcome(value, value, None, None if value is None else False, reason=why, score=value)
    points = [p for group in judgement.groups if group.full for p in group.points]
    tests = [TestOutcome(p.id, "passed" if p.verdict == "accepted" else "failed") for p in points]
    share = project.execution / 100 if project.execution is not None else None
    rate = round(sum(t.outcome == "passed" for t in tests) / len(tests), 6) if tests else 0.0
    return Outcome(
        pass_rate=rate,
        completeness=share,
        regressions=None,
        solved=None if share is None else share == 1.0,
        tests=tests,
        seconds=judgement.seconds,
        # A project begins with nothing, so that every test point is one to gain.
        score=outcome_score(rate, share, None),
        fail_to_pass=rate,
        features=share,
    )
