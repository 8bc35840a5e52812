"""Whether an output is right, by a comparison or the decision of a package's checker; and its score.

A checker that crashes, takes too long or breaks its contract is a judge error, never a wrong answer.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, structs

from ...sandbox.cell.spec import CellLimits as RunLimits
from ...sandbox.cell.spec import Measured
from ..build.program import BuiltProgram
from ..files import read_regular
from ..judgement import PointResult
from ..problems.problem import Case, Checker, PointGroup, PointLimits, Problem, Sanitizer
from ..problems.verdicts import ROWS, Verdict
from .cells import SlotTools
from .compare import compare
from .scoring import clamp, metric_score, share
from .verdicts import CheckerDecision, decoded, seconds, signal_name, size, tail

# Bytes of a message file that are read; messages are cut far below it.
_FEEDBACK: Final = 64 << 10

Tool = Literal["checker", "interactor", "static validator"]
Contract = Literal["kattis", "testlib"]
KATTIS_ACCEPTED, _KATTIS_WRONG = 42, 43
_TESTLIB: Final[dict[int, Verdict]] = {code: name for name, row in ROWS.items() for code in row.testlib}
_TESTLIB_FAILED, TESTLIB_POINTS = 3, 7
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_POINTS = re.compile(r"\s*(?:points|partially correct)?\s*\(?\s*([^\s()]+)")


class Tools(Struct, frozen=True):
    """The package's own programs, built; `data`: directory of the package that their cells see."""

    checker: BuiltProgram | None
    interactor: BuiltProgram | None
    data: Path
    static: BuiltProgram | None = None


class Job(Struct, frozen=True):
    """A case of a group, to be run as it is or under a sanitizer; `fresh`: the run shares no disk with the next one."""

    problem: Problem
    group: PointGroup
    case: Case
    tools: Tools
    sanitizer: Sanitizer | None = None
    fresh: bool = True


class ToolError(Exception):
    """A checker, interactor or driver of the package is missing or breaks its contract. One line for the owner."""


def check(job: Job, output: bytes, slot_tools: SlotTools) -> CheckerDecision:
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
    arguments: tuple[str, ...]
    if contract == "testlib":
        arguments = (names[0], cell.write("output", output), names[1])
    else:
        arguments, stdin = (*names, "/w/"), output
    arguments += (*problem.checker.options, *case.checker_args)
    run = program.run(arguments, limits, stdin=stdin, fresh=False)
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


def decide(point: PointResult, checked: CheckerDecision, job: Job) -> None:
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


def compare_output(checker: Checker, case: Case, output: bytes) -> CheckerDecision:
    """The decision of a built-in comparison. Raises: ToolError: there is nothing to compare with."""
    if checker.compare is None:
        raise ToolError("the package names no comparison and no checker")
    if case.answer is None:
        raise ToolError(f"{case.id}: no answer to compare with; add one or a checker")
    try:
        return compare(checker.compare, output, case.answer.read_bytes(), (*checker.options, *case.checker_args))
    except OSError as error:
        raise ToolError(f"{case.answer}: {error.strerror}") from None


def checker_limits(limits: PointLimits) -> RunLimits:
    """The limits of one run of a checker, interactor or validator."""
    return RunLimits(
        cpu=limits.validation_time,
        wall=3 * limits.validation_time + 2,
        memory=limits.validation_memory,
        processes=limits.processes,
        output=1 << 20,
        disk=max(limits.disk, 64 << 20),
        files=1024,
    )


def decision(run: Measured, what: Tool, contract: Contract, feedback: Path, limits: RunLimits) -> CheckerDecision:
    """What a checker or interactor decided; `feedback`: the directory that it wrote to. Raises: ToolError."""
    reason = failure_reason(run, what, limits)
    if reason is not None:
        raise ToolError(reason)
    return decision_by_testlib(run, what) if contract == "testlib" else decision_by_kattis(run, feedback, what)


def with_next_input(checked: CheckerDecision, feedback: Path, limit: int) -> CheckerDecision:
    """The decision in a multi-pass problem, with the input that the program is to be run with again, if any.

    Raises: ToolError: there is one although the output was rejected, or it is too long.
    """
    path = feedback / "nextpass.in"
    data = read_regular(path, limit + 1)
    if data is None:
        return checked
    path.unlink()
    if checked.verdict != "accepted":
        raise ToolError("nextpass.in was written although the output is wrong")
    if len(data) > limit:
        raise ToolError(f"nextpass.in is longer than {size(limit)}")
    return structs.replace(checked, next_input=data)


def failure_reason(run: Measured, what: Tool, limits: RunLimits) -> str | None:
    """Why a run of a checker or interactor gave no decision; None: it ended with an exit code."""
    if run.failed is not None:
        return f"the {what} could not be started: {run.failed}"
    if run.oom:
        return f"the {what} needs more than {size(limits.memory or 0)} of memory"
    if run.killed == "cpu":
        return f"the {what} took more than {seconds(limits.cpu or 0)} of CPU time"
    if run.killed == "cancelled":
        return f"the {what} did not end although nothing more would come"
    if run.killed == "wall":
        return f"the {what} did not end within {seconds(limits.wall or 0)}"
    if run.killed is not None:
        return f"the {what} exceeded its limit of {run.killed}"
    if run.signal is not None:
        return f"the {what} was killed by {signal_name(run.signal)}{tail(run.stderr)}"
    return None


def decision_by_kattis(run: Measured, feedback: Path, what: Tool = "checker") -> CheckerDecision:
    """The decision of a program that ends with 42 or 43 and writes its messages to files in `feedback`.

    Raises: ToolError.
    """
    if run.exit_code not in (KATTIS_ACCEPTED, _KATTIS_WRONG):
        raise ToolError(f"the {what} ended with exit code {run.exit_code}, neither 42 nor 43{tail(run.stderr)}")
    details = decoded(read_regular(feedback / "judgemessage.txt", _FEEDBACK), 4000)
    message = decoded(read_regular(feedback / "teammessage.txt", _FEEDBACK), 1000)
    if run.exit_code == _KATTIS_WRONG:
        return CheckerDecision("wrong_answer", message, details)
    points = _number(feedback / "score.txt", what)
    share = _number(feedback / "score_multiplier.txt", what)
    return CheckerDecision("accepted", message, details, share=share, points=points)


def decision_by_testlib(run: Measured, what: Tool = "checker") -> CheckerDecision:
    """The decision of a program that follows testlib: the exit code, and text on standard error.

    The text quotes test data, so it is for the judge's owner only.

    Raises: ToolError: it reports a failure, or the exit code is not one of testlib's.
    """
    details = decoded(run.stderr, 4000)
    if run.exit_code == _TESTLIB_FAILED:
        raise ToolError(f"the {what} reports a failure of its own (exit code 3){tail(run.stderr)}")
    if run.exit_code == TESTLIB_POINTS:
        match = _POINTS.match(details)
        return CheckerDecision(
            "accepted", details=details, points=_finite(match[1] if match else "", f"the {what}'s points")
        )
    verdict = _TESTLIB.get(run.exit_code if run.exit_code is not None else -1)
    if verdict is None:
        raise ToolError(f"the {what} ended with exit code {run.exit_code}, which is not testlib's{tail(run.stderr)}")
    return CheckerDecision(verdict, details=details)


def _number(path: Path, what: str) -> float | None:
    text = read_regular(path, _FEEDBACK)
    return None if text is None else _finite(text.decode(errors="replace").strip(), f"{path.name} of the {what}")


def _finite(text: str, name: str) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ToolError(f"{name}: {decoded(text.encode(), 40)!r} is not a finite number")
    return value
