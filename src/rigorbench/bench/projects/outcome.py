"""The outcome of a run on a project: the judge's verdicts on its submissions, and the review of the best one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ...base import journal
from ...base.files import read_json
from ...judge.codereview.model import ReviewResult
from ...judge.model import Judgement
from ..experiment.model import Outcome, ProjectOutcome, SubmissionFact, TestOutcome
from ..experiment.outcome_score import outcome_score
from ..experiment.store import Facts
from ..tasks.suite import SuiteTask
from .code_size import code_size
from .failure_modes import failure_modes
from .hints import hint_facts
from .local_tests import Local
from .review import REVIEW, review_of
from .submissions import FILES, INDEX, SUBMISSIONS, Submissions, Submitted
from .unsubmitted import unsubmitted

# Paths that are kept of unsubmitted work.
_MOST_FILES = 20


def measure_project(
    task: SuiteTask,
    directory: Path,
    facts: Facts,
    final_tree: str | None,
    calls: Sequence[float],
    local: Sequence[Local | None] = (),
) -> tuple[ProjectOutcome, Outcome]:
    """The outcome of a run on a project, as a project and in the terms of all other tasks.

    Args:
        final_tree: the work tree at the end, in the run's store; None: it was not captured.
        calls: when each model call ended, epoch seconds.
        local: how the agent's own tests had ended at each submission that the log shows.

    In the terms of other tasks: hidden tests are the test points of the best submission, completeness is its share of
    the points, and a project is solved if it has all of them. What cannot be measured is None, with the reason.
    """
    from .scores.formulas import best_of_first, final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, Submissions)
    if kept is None:
        reason = f"{directory / SUBMISSIONS / INDEX}: missing or damaged"
        empty = ProjectOutcome(None, None, None, [], None, None, None, [], {}, "", missing=[reason])
        return empty, Outcome(None, None, None, None, reason=reason)
    # Where the log shows another number of submissions than the judge has, nobody knows which is which.
    own = list(local) if len(local) == len(kept.submitted) else [None] * len(kept.submitted)
    submitted = [_fact(entry, facts, calls, ended) for entry, ended in zip(kept.submitted, own, strict=True)]
    counted = [entry for entry in submitted if entry.counted]
    points = [entry.points for entry in counted]
    curve = best_of_first(points)
    best = _best(counted, points)
    missing = [f"submission {s.number}: no verdict ({s.reason})" for s in kept.submitted if s.judgement is None]
    if not kept.waited:
        missing.append("not every submission was judged in time")
    execution = curve[-1] if curve else 0.0
    review, why = review_of(task, directory, kept.submitted, best, facts.start_commit)
    missing += [] if why is None else [why]
    left = None
    if final_tree is not None and kept.submitted:
        last = directory / SUBMISSIONS / str(kept.submitted[-1].number) / FILES
        left = unsubmitted(directory / journal.STORE, final_tree, last)
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
        unsubmitted=None if left is None else bool(left),
        unsubmitted_files=(left or [])[:_MOST_FILES],
        missing=missing,
        hints=hint_facts(kept.hints, counted, curve, facts.started, calls),
    )
    judgement = _judgement(directory, project)
    if best is not None:
        of_best = directory / SUBMISSIONS / str(best)
        project.size = code_size(of_best / FILES)
        found = read_json(of_best / REVIEW, ReviewResult)
        project.failures = failure_modes(project, judgement, found, len(calls) or None)
    return project, _outcome(project, judgement)


def _judgement(directory: Path, project: ProjectOutcome) -> Judgement | None:
    """The judgement of the best submission."""
    best = next((s for s in project.submissions if s.number == project.best), None)
    return None if best is None or best.judgement is None else read_json(directory / best.judgement, Judgement)


def _fact(entry: Submitted, facts: Facts, calls: Sequence[float], local: Local | None) -> SubmissionFact:
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
        local=local,
    )


def _best(counted: Sequence[SubmissionFact], points: Sequence[float | None]) -> int | None:
    """The number of the best submission; of equal ones the last, which has the agent's latest code."""
    known = [(value, entry.number) for entry, value in zip(counted, points, strict=True) if value is not None]
    return max(known)[1] if known else None


def _outcome(project: ProjectOutcome, judgement: Judgement | None) -> Outcome:
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
