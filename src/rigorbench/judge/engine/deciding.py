"""From a program's output to a verdict and a score, by the package's checker and its metric."""

from __future__ import annotations

from ...sandbox.cell.spec import Run
from .cells import Station
from .checking import Broken, Checked, built_in, by_kattis, by_testlib, checker_limits, unusable
from .job import Job, Trial
from .scoring import metric_score, share


def check(job: Job, output: bytes, station: Station) -> Checked:
    program = job.tools.checker
    if program is None:
        return built_in(job.problem.checker, job.case, output)
    problem, case = job.problem, job.case
    cell = station.tool("checker", program, job.tools.data, problem.digest)
    limits = checker_limits(problem.limits)
    names = (cell.show(case.input, "input"), cell.show(case.answer, "answer"))
    stdin: bytes | None = None
    if problem.checker.contract == "testlib":
        arguments = (names[0], cell.give("output", output), names[1])
    else:
        arguments, stdin = (*names, "/w/"), output
    extra = (*problem.checker.options, *case.checker_args)
    run = Run(
        argv=(*program.argv, *arguments, *extra),
        limits=limits,
        env=dict(program.env),
        stdin=stdin,
        fresh=False,
        address_space=program.address_space,
    )
    try:
        measured = cell.run(run)
        reason = unusable(measured, "checker", limits)
        if reason is not None:
            raise Broken(reason)
        return by_testlib(measured) if problem.checker.contract == "testlib" else by_kattis(measured, cell.work)
    finally:
        cell.clear()


def decide(trial: Trial, checked: Checked, job: Job) -> None:
    """Raises: Broken: a package with a metric whose checker accepts without a value."""
    trial.verdict, trial.message = checked.verdict, checked.message
    trial.details = "\n".join(part for part in (checked.details, trial.details) if part)
    if checked.verdict != "accepted":
        trial.score = 0.0
        return
    if job.problem.metric is not None:
        if checked.points is None:
            raise Broken(f"{job.case.id}: accepted without a value; a problem with a metric needs a score.txt")
        trial.metric = checked.points
        trial.score = metric_score(job.problem.metric, checked.points)
    elif checked.share is not None:
        trial.score = min(max(checked.share, 0.0), 1.0)
    elif checked.points is not None:
        trial.score = share(checked.points, job.group)
