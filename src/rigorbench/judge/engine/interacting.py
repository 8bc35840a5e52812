"""A program and an interactor that talk to each other, each in a cell of its own; and the verdict of every ending.

docs/judge.md has the table of endings. In short: a limit that the program exceeds comes first. Who ended first matters,
because the other's end may follow from it: a program that crashed before the interactor decided has crashed. Otherwise
the interactor's decision counts, and an interactor that fails is a judge error.
"""

from __future__ import annotations

import signal
import threading
from typing import Final, Literal

from msgspec import structs

from ...sandbox.cell.spec import CellLimits, CellRun, Measured
from ..files import read_regular
from ..problems.problem import PointLimits
from ..problems.verdicts import LIMITS
from .cells import ReusableCell, SlotTools
from .checking import KATTIS_ACCEPTED, TESTLIB_POINTS, Job, ToolError, check, checker_limits, decision, with_next_input
from .relay import Relay, Side
from .verdicts import IDLE_SHARE, CheckerDecision, Ending, ending, size, wall_limit

# An interactive run may take this many times as long as a program alone: each side waits for the other.
_INTERACTIVE_WALL: Final = 10
# Bytes that an interactor may write: more is a defect of the package.
_INTERACTOR_OUTPUT: Final = 256 << 20
_UNLIMITED: Final = 1 << 50


class _Half:
    """One of the two runs, in a thread of its own."""

    def __init__(self, side: Side, cell: ReusableCell, run: CellRun) -> None:
        self.side, self.cell, self.run = side, cell, run
        self.measured: Measured | None = None
        self.error: BaseException | None = None


def interact(
    job: Job, run: CellRun, bound: PointLimits, cell: ReusableCell, slot_tools: SlotTools
) -> tuple[Measured, Ending, CheckerDecision | None, str]:
    """Run a program with the package's interactor.

    Returns: what the program used; how it ended (verdict None: the interactor's decision counts); that decision; and
    the transcript. Raises: CellError: a sandbox failed. ToolError: the interactor failed.
    """
    problem, case, tool_program = job.problem, job.case, job.tools.interactor
    assert tool_program is not None
    contract = problem.checker.contract
    tool = slot_tools.cell("interactor", tool_program, job.tools.data, problem.digest)
    names = (tool.path_of(case.input, "input"), tool.path_of(case.answer, "answer"))
    arguments: tuple[str, ...] = (names[0], "/w/tout", names[1]) if contract == "testlib" else (*names, "/w/")
    wall = wall_limit(bound) * _INTERACTIVE_WALL
    limits = checker_limits(problem.limits)
    limits = structs.replace(limits, wall=wall + (limits.wall or 0), output=_INTERACTOR_OUTPUT)
    worked_before = 0.0

    def both_wait() -> bool:
        """Whether neither side has used CPU since the last call, or waited for a processor: an interactor may think, a
        machine may be busy."""
        nonlocal worked_before
        worked = cell.worked() + tool.worked()
        grown, worked_before = worked - worked_before, worked
        return grown < IDLE_SHARE * relay.idle

    def stop(_: Literal["idle"] | Side) -> None:
        cell.cancel()
        tool.cancel()

    most: dict[Side, int] = {"program": bound.output, "interactor": _INTERACTOR_OUTPUT}
    relay = Relay(most, wall_limit(bound), both_wait, stop)
    run.stdin, run.stdout = relay.program.stdin, relay.program.stdout
    # The relay counts the output.
    run.limits = structs.replace(run.limits, wall=wall, output=_UNLIMITED)
    arguments = (*arguments, *problem.checker.options, *case.checker_args)
    pipes = {"stdin": relay.interactor.stdin, "stdout": relay.interactor.stdout}
    tool_run = tool_program.run(arguments, limits, **pipes, fresh=False)
    program, interactor = _Half("program", cell, run), _Half("interactor", tool, tool_run)

    def run_half(half: _Half) -> None:
        process = relay.program if half is program else relay.interactor
        try:
            half.measured = half.cell.run(half.run, started=process.close_process_ends)
        except BaseException as error:
            half.error = error
        finally:
            process.close_process_ends()
            relay.exited(half.side)
        ended = half.measured
        if half is program:
            # Over a limit: the interactor's decision does not matter any more.
            if ended is None or ended.killed is not None or ended.oom:
                tool.cancel()
        else:
            # It rejected the program, whose further output changes nothing.
            accepting = (KATTIS_ACCEPTED,) if contract == "kattis" else (0, TESTLIB_POINTS)
            itself = ended is not None and ended.killed is None and ended.signal is None
            if ended is None or not itself or ended.exit_code not in accepting:
                cell.cancel()

    checked: CheckerDecision | ToolError | None = None
    threads = [
        threading.Thread(target=run_half, args=(half,), name=f"judge-{half.side}", daemon=True)
        for half in (interactor, program)
    ]
    try:
        for thread in threads:
            thread.start()
        relay.run()
        for thread in threads:
            thread.join()
        # Before the interactor's directory is emptied.
        if interactor.measured is not None and program.error is None:
            try:
                checked = _read_decision(job, interactor.measured, tool, limits, slot_tools)
            except ToolError as error:
                checked = error
    finally:
        relay.close()
        again = isinstance(checked, CheckerDecision) and checked.next_input is not None
        if program.error is None and interactor.error is None and not again:
            tool.clear()
    for half in (program, interactor):
        if half.error is not None:
            raise half.error
    measured = program.measured
    assert measured is not None
    assert checked is not None
    # The relay decides whether it was too much: what was dropped after the interactor's decision does not count.
    measured.output = min(relay.program.sent, bound.output)
    end, transcript, reason = ending(measured, bound), relay.transcript(), relay.stopped
    if reason == "program":
        end = Ending("output_limit_exceeded", f"more than {size(bound.output)} of output")
    elif reason == "idle" and measured.killed is not None and end.verdict not in LIMITS:
        end = Ending("idleness_limit_exceeded", "the program and the interactor both waited")
    if end.verdict in LIMITS or end.verdict == "idleness_limit_exceeded":
        return measured, end, None, transcript
    # The judge ends the program once the interactor has rejected it; then its end means nothing.
    ended_by_judge = measured.killed is not None and measured.signal == signal.SIGKILL
    if end.verdict is not None and not ended_by_judge and relay.first != "interactor":
        # It crashed first: what the interactor made of that does not matter.
        return measured, end, None, transcript
    if reason == "interactor":
        raise ToolError(f"the interactor wrote more than {size(_INTERACTOR_OUTPUT)}")
    if isinstance(checked, ToolError):
        raise checked
    if checked.verdict == "accepted" and end.verdict is not None and measured.signal != signal.SIGPIPE:
        return measured, end, None, transcript
    return measured, Ending(None), checked, transcript


def _read_decision(
    job: Job, measured: Measured, tool: ReusableCell, limits: CellLimits, slot_tools: SlotTools
) -> CheckerDecision:
    """Raises: ToolError."""
    problem, contract = job.problem, job.problem.checker.contract
    decided = decision(measured, "interactor", contract, tool.work, limits)
    if problem.passes > 1:
        decided = with_next_input(decided, tool.work, problem.limits.output)
    if contract != "testlib" or decided.verdict != "accepted" or decided.points is not None:
        return decided
    # A testlib interactor may leave the verdict to the package's checker, by writing to its output file.
    tout = None if job.tools.checker is None else read_regular(tool.work / "tout", problem.limits.output)
    return decided if tout is None else check(job, tout, slot_tools)
