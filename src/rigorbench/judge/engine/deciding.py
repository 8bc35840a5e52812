"""From a program's output to a verdict and a score, by the package's checker and its metric."""

from __future__ import annotations

from ...sandbox.cell.spec import Run
from ..model import PointResult
from .cells import SlotTools
from .checking import Checked, ToolError, checker_limits, compare_output, decision, with_next_input
from .job import Job
from .scoring import clamp, metric_score, share


def check(job: Job, output: bytes, slot_tools: SlotTools) -> Checked:
    """The decision about an output. Raises: CellError, ToolError."""
    program = job.tools.checker
    if program is None:
        return compare_output(job.problem.checker, job.case, output)
    problem, case = job.problem, job.case
    contract = problem.checker.contract
    cell = slot_tools.cell("checker", program, job.tools.data, problem.digest)
    limits = checker_limits(problem.limits)
    names = (cell.path_of(case.input, "input"), cell.path_of(case.answer, "answer"))
    stdin: bytes | None = None
    if contract == "testlib":
        arguments = (names[0], cell.write("output", output), names[1])
    else:
        arguments, stdin = (*names, "/w/"), output
    run = Run(
        argv=(*program.argv, *arguments, *problem.checker.options, *case.checker_args),
        limits=limits,
        env=dict(program.env),
        stdin=stdin,
        fresh=False,
        address_space=program.address_space,
    )
    again = False
    try:
        checked = decision(cell.run(run), "checker", contract, cell.work, limits)
        if problem.passes > 1:
            checked = with_next_input(checked, cell.work, problem.limits.output)
            again = checked.next_input is not None
        return checked
    finally:
        # What a checker notes for itself stays until the last pass.
        if not again:
            cell.clear()


def decide(point: PointResult, checked: Checked, job: Job) -> None:
    """Set verdict and score of a test point. Raises: ToolError: the package has a metric, and the checker no value."""
    point.verdict, point.message = checked.verdict, checked.message
    if job.tools.checker is not None or job.tools.interactor is not None:
        # Its author has chosen it for the eyes of the submission's; the built-in comparison quotes the output's place.
        point.told = checked.message
    point.details = "\n".join(part for part in (checked.details, point.details) if part)
    if checked.verdict != "accepted":
        point.score = 0.0
        return
    if job.problem.metric is not None:
        if checked.points is None:
            raise ToolError(f"{job.case.id}: accepted without a value; a problem with a metric needs a score.txt")
        point.metric = checked.points
        point.score = metric_score(job.problem.metric, checked.points)
    elif checked.share is not None:
        point.score = clamp(checked.share, 1.0)
    elif checked.points is not None:
        point.score = share(checked.points, job.group)
