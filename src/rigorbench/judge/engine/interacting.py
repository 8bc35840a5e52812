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
    CheckerDecision,
    Job,
    ToolError,
    check,
    checker_limits,
    decision,
    with_next_input,
)
from .relay import Relay, Side
from .verdicts import IDLE_SHARE, Ending, ending, size, wall_limit

# An interactive run may take this many times as long as a program alone: each side waits for the other.
_INTERACTIVE_WALL: Final = 10
# Bytes that an interactor may write: more is a defect of the package.
_INTERACTOR_OUTPUT: Final = 256 << 20
_UNLIMITED: Final = 1 << 50


class _Half:
    """One of the two runs, in a thread of its own."""

    def __init__(self, cell: ReusableCell, run: CellRun) -> None:
        self.cell = cell
        self.run = run
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
        self.job = job
        self.slot_tools = slot_tools
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
        threads = [
            threading.Thread(target=self._run_interactor, name="judge-interactor", daemon=True),
            threading.Thread(target=self._run_program, name="judge-program", daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            self.relay.run()
            for thread in threads:
                thread.join()
            self._read_decision()
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

    def _run_program(self) -> None:
        self._run_half("program", self.program)
        measured = self.program.measured
        if measured is None or measured.killed is not None or measured.oom:
            # Over a limit: the interactor's decision does not matter any more.
            self.interactor.cell.cancel()

    def _run_interactor(self) -> None:
        self._run_half("interactor", self.interactor)
        measured = self.interactor.measured
        if measured is None or not _accepted(measured, self.contract):
            # It rejected the program, whose further output changes nothing.
            self.program.cell.cancel()

    def _run_half(self, side: Side, half: _Half) -> None:
        process = self.relay.program if side == "program" else self.relay.interactor
        try:
            half.measured = half.cell.run(half.run, started=process.close_process_ends)
        except BaseException as error:
            half.error = error
        finally:
            process.close_process_ends()
            self.relay.exited(side)

    def _both_wait(self) -> bool:
        """Whether neither side has used CPU since the last call, or waited for a processor: an interactor may think, a
        machine may be busy."""
        cells = (self.program.cell, self.interactor.cell)
        worked = sum(cell.cpu() + cell.starved() for cell in cells)
        grown, self._worked_before = worked - self._worked_before, worked
        return grown < IDLE_SHARE * self.relay.idle

    def _stop(self, _: Literal["idle"] | Side) -> None:
        self.program.cell.cancel()
        self.interactor.cell.cancel()

    def _read_decision(self) -> None:
        """Read the interactor's decision before its directory is emptied."""
        measured = self.interactor.measured
        if measured is None or self.program.error is not None:
            return
        try:
            decided = decision(measured, "interactor", self.contract, self.tool.work, self.tool_limits)
            if self.job.problem.passes > 1:
                decided = with_next_input(decided, self.tool.work, self.job.problem.limits.output)
            self._decision = self._check_tout(decided) if self.contract == "testlib" else decided
        except ToolError as error:
            self._decision = error

    def _check_tout(self, decided: CheckerDecision) -> CheckerDecision:
        """A testlib interactor may leave the verdict to the package's checker, by writing to its output file."""
        if decided.verdict != "accepted" or self.job.tools.checker is None or decided.points is not None:
            return decided
        output = read_regular(self.tool.work / "tout", self.job.problem.limits.output)
        return decided if output is None else check(self.job, output, self.slot_tools)


def _accepted(run: Measured, contract: str) -> bool:
    if run.killed is not None or run.signal is not None:
        return False
    return run.exit_code == KATTIS_ACCEPTED if contract == "kattis" else run.exit_code in (0, TESTLIB_POINTS)
