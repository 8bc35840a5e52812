"""A program and an interactor that talk to each other, each in a cell of its own; and the verdict of every ending.

The table of endings is in docs/judge.md. In short: limits of the program come first; who ended first matters, because
the other's end may follow from it; a program that crashed before the interactor's verdict has crashed; the interactor's
verdict stands otherwise; an interactor that breaks down is the judge's error.
"""

from __future__ import annotations

import signal
import threading
from typing import Final, Literal

from ...problems.verdicts import Verdict
from ...sandbox.cell.spec import Measured, Run
from .cells import OwnCell, Station, ToolCell
from .checking import Broken, Checked, by_kattis, by_testlib, checker_limits, read_file, unusable
from .deciding import check
from .job import Job
from .relay import Relay, Side
from .verdicts import IDLE_SHARE, Bounds, Ending, ending, size

# A talk may take this many times as long as a program alone: its words wait for the other's.
_TALK: Final = 10
# Bytes that an interactor may say: more is a defect of the package.
_INTERACTOR_OUTPUT: Final = 256 << 20
_UNCOUNTED: Final = 1 << 50
_LIMITS: Final[frozenset[Verdict | None]] = frozenset(
    {"output_limit_exceeded", "disk_limit_exceeded", "memory_limit_exceeded", "time_limit_exceeded"}
)


class _Half:
    """One of the two runs, in a thread of its own."""

    def __init__(self, cell: OwnCell, run: Run) -> None:
        self.cell = cell
        self.run = run
        self.measured: Measured | None = None
        self.error: BaseException | None = None


def interact(
    job: Job, run: Run, bound: Bounds, cell: OwnCell, station: Station
) -> tuple[Measured, Ending, Checked | None, str]:
    """What the program used, how it ended (verdict None: what the interactor decided stands), that decision, and the
    transcript. Raises: CellError, Broken."""
    talk = _Talk(job, run, bound, cell, station)
    measured = talk.hold()
    # Whether it was too much is the relay's to say: what was dropped after the interactor's verdict is not.
    measured.output = min(talk.relay.program.said, bound.output)
    end = ending(measured, bound)
    transcript = talk.relay.transcript()
    reason = talk.relay.stopped
    if reason == "program":
        end = Ending("output_limit_exceeded", f"more than {size(bound.output)} of output")
    elif reason == "idle" and measured.killed is not None and end.verdict not in _LIMITS:
        end = Ending("idleness_limit_exceeded", "the program and the interactor both waited")
    if end.verdict in _LIMITS or end.verdict == "idleness_limit_exceeded":
        return measured, end, None, transcript
    # It may have been dead already when it was to be ended for what the interactor had decided.
    ours = measured.killed is not None and measured.signal == signal.SIGKILL
    if end.verdict is not None and not ours and talk.relay.first != "interactor":
        # Its crash came first: whatever the interactor made of that does not matter.
        return measured, end, None, transcript
    if reason == "interactor":
        raise Broken(f"the interactor wrote more than {size(_INTERACTOR_OUTPUT)}")
    checked = talk.decision()
    if checked.verdict == "accepted" and end.verdict is not None and measured.signal != signal.SIGPIPE:
        return measured, end, None, transcript
    return measured, Ending(None), checked, transcript


class _Talk:
    def __init__(self, job: Job, run: Run, bound: Bounds, cell: OwnCell, station: Station) -> None:
        problem, case = job.problem, job.case
        assert job.tools.interactor is not None
        assert problem.interactor is not None
        program = job.tools.interactor
        self.job = job
        self.station = station
        self.contract = problem.interactor.contract
        self.tool: ToolCell = station.tool("interactor", program, job.tools.data, problem.digest)
        names = (self.tool.show(case.input, "input"), self.tool.show(case.answer, "answer"))
        arguments = (names[0], "/w/tout", names[1]) if self.contract == "testlib" else (*names, "/w/")
        self.limits = checker_limits(problem.limits)
        wall = bound.wall * _TALK * job.stretch
        self.limits_of_tool = type(self.limits)(
            cpu=self.limits.cpu,
            wall=wall + (self.limits.wall or 0),
            memory=self.limits.memory,
            processes=self.limits.processes,
            output=_INTERACTOR_OUTPUT,
            disk=self.limits.disk,
            files=self.limits.files,
        )
        self.relay = Relay(
            {"program": bound.output, "interactor": _INTERACTOR_OUTPUT},
            bound.wall * job.stretch,
            self._both_wait,
            self._stop,
        )
        run.stdin, run.stdout = self.relay.program.stdin, self.relay.program.stdout
        run.limits = type(run.limits)(
            cpu=run.limits.cpu,
            wall=wall,
            memory=run.limits.memory,
            processes=run.limits.processes,
            # The relay counts.
            output=_UNCOUNTED,
            disk=run.limits.disk,
            files=run.limits.files,
            stack=run.limits.stack,
        )
        self.program = _Half(cell, run)
        extra = (*problem.checker.options, *case.checker_args)
        self.interactor = _Half(
            self.tool,
            Run(
                argv=(*program.argv, *arguments, *extra),
                limits=self.limits_of_tool,
                env=dict(program.env),
                stdin=self.relay.interactor.stdin,
                stdout=self.relay.interactor.stdout,
                fresh=False,
                address_space=program.address_space,
            ),
        )
        self._cpu_before = 0.0
        self._decision: Checked | None = None
        self._broken: Broken | None = None

    def hold(self) -> Measured:
        """Let them talk to the end. Raises: CellError."""
        threads = [
            threading.Thread(target=self._interactor, name="judge-interactor", daemon=True),
            threading.Thread(target=self._program, name="judge-program", daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            self.relay.run()
            for thread in threads:
                thread.join()
            self._understand()
        finally:
            self.relay.close()
            if self.program.error is None and self.interactor.error is None:
                self.tool.clear()
        for half in (self.program, self.interactor):
            if half.error is not None:
                raise half.error
        assert self.program.measured is not None
        return self.program.measured

    def decision(self) -> Checked:
        """Raises: Broken."""
        if self._broken is not None:
            raise self._broken
        assert self._decision is not None
        return self._decision

    def _program(self) -> None:
        self._do("program", self.program)
        measured = self.program.measured
        if measured is None or measured.killed is not None or measured.oom:
            # Over a limit: what the interactor thinks of it does not matter any more.
            self.interactor.cell.cancel()

    def _interactor(self) -> None:
        self._do("interactor", self.interactor)
        measured = self.interactor.measured
        if measured is None or not _accepted(measured, self.contract):
            # It decided against the program, whose further words change nothing.
            self.program.cell.cancel()

    def _do(self, side: Side, half: _Half) -> None:
        party = self.relay.program if side == "program" else self.relay.interactor
        try:
            half.measured = half.cell.run(half.run, started=party.close_theirs)
        except BaseException as error:
            half.error = error
        finally:
            party.close_theirs()
            self.relay.over(side)

    def _both_wait(self) -> bool:
        """Nothing moved for long: has neither worked meanwhile? (An interactor may think; a machine may be slow.)"""
        used = self.program.cell.cpu() + self.interactor.cell.cpu()
        grown, self._cpu_before = used - self._cpu_before, used
        return grown < IDLE_SHARE * self.relay.idle

    def _stop(self, _: Literal["idle"] | Side) -> None:
        self.program.cell.cancel()
        self.interactor.cell.cancel()

    def _understand(self) -> None:
        """The interactor's decision, read before its directory is emptied."""
        measured = self.interactor.measured
        if measured is None or self.program.error is not None:
            return
        try:
            reason = unusable(measured, "interactor", self.limits_of_tool)
            if reason is not None:
                raise Broken(reason)
            if self.contract == "testlib":
                decision = by_testlib(measured, "interactor")
                self._decision = self._check_tout(decision)
            else:
                self._decision = by_kattis(measured, self.tool.work, "interactor")
        except Broken as error:
            self._broken = error

    def _check_tout(self, decision: Checked) -> Checked:
        """A testlib interactor may leave the verdict to the package's checker, by what it wrote to its output file."""
        if decision.verdict != "accepted" or self.job.tools.checker is None or decision.points is not None:
            return decision
        said = read_file(self.tool.work / "tout", self.job.problem.limits.output)
        return decision if said is None else check(self.job, said, self.station)


def _accepted(run: Measured, contract: str) -> bool:
    if run.killed is not None or run.signal is not None:
        return False
    return run.exit_code == 42 if contract == "kattis" else run.exit_code in (0, 7)
