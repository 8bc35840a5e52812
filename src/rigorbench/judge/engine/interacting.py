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

from ...sandbox.cell.spec import CellRun, Measured
from ..files import read_regular
from ..problems.problem import PointLimits
from ..problems.verdicts import LIMITS
from .cells import ReusableCell, SlotTools
from .checking import (
    KATTIS_ACCEPTED,
    TESTLIB_POINTS,
    Job,
    ToolError,
    check,
    checker_limits,
    decision,
    with_next_input,
)
from .relay import Relay, Side
from .verdicts import IDLE_SHARE, CheckerDecision, Ending, ending, size, wall_limit

# An interactive run may take this many times as long as a program alone: each side waits for the other.
_INTERACTIVE_WALL: Final = 10
# Bytes that an interactor may write: more is a defect of the package.
_INTERACTOR_OUTPUT: Final = 256 << 20
_UNLIMITED: Final = 1 << 50


class _Half:
    """One of the two runs, in a thread of its own."""

    def __init__(self, cell: ReusableCell, run: CellRun) -> None:
        self.cell, self.run = cell, run
        self.measured: Measured | None = None
        self.error: BaseException | None = None


def interact(
    job: Job, run: CellRun, bound: PointLimits, cell: ReusableCell, slot_tools: SlotTools
) -> tuple[Measured, Ending, CheckerDecision | None, str]:
    """Run a program with the package's interactor.

    Returns:
        What the program used; how it ended (verdict None: the interactor's decision counts); that decision; and the
        transcript.

    Raises:
        CellError: a sandbox failed.
        ToolError: the interactor failed.
    """
    conversation = _Conversation(job, run, bound, cell, slot_tools)
    measured = conversation.run()
    relay = conversation.relay
    # The relay decides whether it was too much: what was dropped after the interactor's decision does not count.
    measured.output = min(relay.program.sent, bound.output)
    end = ending(measured, bound)
    transcript = relay.transcript()
    reason = relay.stopped
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
    checked = conversation.decision()
    if checked.verdict == "accepted" and end.verdict is not None and measured.signal != signal.SIGPIPE:
        return measured, end, None, transcript
    return measured, Ending(None), checked, transcript


class _Conversation:
    def __init__(self, job: Job, run: CellRun, bound: PointLimits, cell: ReusableCell, slot_tools: SlotTools) -> None:
        problem, case = job.problem, job.case
        assert job.tools.interactor is not None
        program = job.tools.interactor
        self.job, self.slot_tools = job, slot_tools
        self.contract = problem.checker.contract
        self.tool = slot_tools.cell("interactor", program, job.tools.data, problem.digest)
        names = (self.tool.path_of(case.input, "input"), self.tool.path_of(case.answer, "answer"))
        arguments = (names[0], "/w/tout", names[1]) if self.contract == "testlib" else (*names, "/w/")
        wall = wall_limit(bound) * _INTERACTIVE_WALL * job.wall_factor
        limits = checker_limits(problem.limits)
        self.tool_limits = structs.replace(limits, wall=wall + (limits.wall or 0), output=_INTERACTOR_OUTPUT)
        self.relay = Relay(
            {"program": bound.output, "interactor": _INTERACTOR_OUTPUT},
            wall_limit(bound) * job.wall_factor,
            self._both_wait,
            self._stop,
        )
        run.stdin, run.stdout = self.relay.program.stdin, self.relay.program.stdout
        # The relay counts the output.
        run.limits = structs.replace(run.limits, wall=wall, output=_UNLIMITED)
        self.program = _Half(cell, run)
        self.interactor = _Half(
            self.tool,
            CellRun(
                argv=(*program.argv, *arguments, *problem.checker.options, *case.checker_args),
                limits=self.tool_limits,
                env=dict(program.env),
                stdin=self.relay.interactor.stdin,
                stdout=self.relay.interactor.stdout,
                fresh=False,
                address_space=program.address_space,
            ),
        )
        self._worked_before = 0.0
        self._decision: CheckerDecision | ToolError | None = None

    def run(self) -> Measured:
        """Let them talk to the end. Raises: CellError."""
        sides: tuple[Side, Side] = ("interactor", "program")
        threads = [
            threading.Thread(target=self._run_half, args=(side,), name=f"judge-{side}", daemon=True) for side in sides
        ]
        try:
            for thread in threads:
                thread.start()
            self.relay.run()
            for thread in threads:
                thread.join()
            # Before the interactor's directory is emptied.
            if self.interactor.measured is not None and self.program.error is None:
                try:
                    self._decision = self._read_decision(self.interactor.measured)
                except ToolError as error:
                    self._decision = error
        finally:
            self.relay.close()
            again = isinstance(self._decision, CheckerDecision) and self._decision.next_input is not None
            if self.program.error is None and self.interactor.error is None and not again:
                self.tool.clear()
        for half in (self.program, self.interactor):
            if half.error is not None:
                raise half.error
        assert self.program.measured is not None
        return self.program.measured

    def decision(self) -> CheckerDecision:
        """Raises: ToolError."""
        if isinstance(self._decision, ToolError):
            raise self._decision
        assert self._decision is not None
        return self._decision

    def _run_half(self, side: Side) -> None:
        process, half, other = self.relay.program, self.program, self.interactor
        if side == "interactor":
            process, half, other = self.relay.interactor, self.interactor, self.program
        try:
            half.measured = half.cell.run(half.run, started=process.close_process_ends)
        except BaseException as error:
            half.error = error
        finally:
            process.close_process_ends()
            self.relay.exited(side)
        run = half.measured
        if side == "program":
            # Over a limit: the interactor's decision does not matter any more.
            ends_other = run is None or run.killed is not None or run.oom
        else:
            # It rejected the program, whose further output changes nothing.
            accepting = (KATTIS_ACCEPTED,) if self.contract == "kattis" else (0, TESTLIB_POINTS)
            ended_itself = run is not None and run.killed is None and run.signal is None
            ends_other = run is None or not ended_itself or run.exit_code not in accepting
        if ends_other:
            other.cell.cancel()

    def _both_wait(self) -> bool:
        """Whether neither side has used CPU since the last call, or waited for a processor: an interactor may think, a
        machine may be busy."""
        worked = self.program.cell.worked() + self.interactor.cell.worked()
        grown, self._worked_before = worked - self._worked_before, worked
        return grown < IDLE_SHARE * self.relay.idle

    def _stop(self, _: Literal["idle"] | Side) -> None:
        self.program.cell.cancel()
        self.interactor.cell.cancel()

    def _read_decision(self, measured: Measured) -> CheckerDecision:
        problem = self.job.problem
        decided = decision(measured, "interactor", self.contract, self.tool.work, self.tool_limits)
        if problem.passes > 1:
            decided = with_next_input(decided, self.tool.work, problem.limits.output)
        if self.contract != "testlib" or decided.verdict != "accepted" or decided.points is not None:
            return decided
        # A testlib interactor may leave the verdict to the package's checker, by writing to its output file.
        tout = None if self.job.tools.checker is None else read_regular(self.tool.work / "tout", problem.limits.output)
        return decided if tout is None else check(self.job, tout, self.slot_tools)
