"""A program and an interactor that talk to each other, each in a cell of its own; and the verdict of every ending.

docs/judge.md has the table of endings. In short: a limit that the program exceeds comes first. Who ended first matters,
because the other's end may follow from it: a program that crashed before the interactor decided has crashed. Otherwise
the interactor's decision counts, and an interactor that fails is a judge error.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import termios
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, Literal

from msgspec import structs

from ...sandbox.cell.spec import CellLimits, CellRun, Measured
from ..files import read_regular
from ..problems.problem import PointLimits
from ..problems.verdicts import LIMITS
from .cells import ReusableCell, SlotTools
from .checking import KATTIS_ACCEPTED, TESTLIB_POINTS, Job, ToolError, check, checker_limits, decision, with_next_input
from .verdicts import IDLE_SHARE, CheckerDecision, Ending, ending, size, wall_limit

Side = Literal["program", "interactor"]

_CHUNK: Final = 64 << 10
# Bytes of a transcript that are kept at each end.
_KEPT: Final = 4 << 10
_TICK: Final = 0.25


class _Process:
    """One side of the relay: the ends of its pipes (closed: -1 or None), and what is known of it."""

    def __init__(self, name: Side) -> None:
        self.name: Side = name
        # The process's ends, which it is started with, and the relay's.
        self.stdin, stdin_w = os.pipe()
        stdout_r, self.stdout = os.pipe()
        os.set_blocking(stdin_w, False)
        os.set_blocking(stdout_r, False)
        self.stdin_w: int | None = stdin_w
        self.stdout_r: int | None = stdout_r
        self.sent = 0  # bytes that it wrote and that count
        self.pending = b""  # bytes that it wrote and that the other side has not taken yet
        self.stdin_closed = False  # nobody reads its standard input any more
        self.exited = False
        self.stdout_closed_at: float | None = None

    @property
    def ended(self) -> bool:
        return self.stdout_r is None and (self.stdin_closed or self.exited)

    def close_relay_ends(self) -> None:
        self.close_stdin()
        if self.stdout_r is not None:
            os.close(self.stdout_r)
            self.stdout_r = None

    def close_process_ends(self) -> None:
        for descriptor in (self.stdin, self.stdout):
            if descriptor >= 0:
                os.close(descriptor)
        self.stdin = self.stdout = -1

    def close_stdin(self) -> None:
        if self.stdin_w is not None:
            os.close(self.stdin_w)
            self.stdin_w = None


class Relay:
    """Passes bytes in both directions until :meth:`exited` was called for both sides.

    Each side has pipes of its own, so neither can affect the other's ends. A side can only know what was passed on, so
    "ended first" is exact and does not depend on clocks.

    `limits`: bytes that each side may send. `idle`: seconds without any transfer after which `both_wait` is asked.
    `both_wait`: whether neither side works. `stop`: called once; it must end both sides. `stopped`: why ("idle",
    or the side that sent too much).
    """

    def __init__(
        self,
        limits: dict[Side, int],
        idle: float,
        both_wait: Callable[[], bool],
        stop: Callable[[], None],
    ) -> None:
        self.program, self.interactor = _Process("program"), _Process("interactor")
        # The program ends by closing its output before the interactor has exited; the interactor by exiting.
        self.first: Side | None = None
        self.stopped: Literal["idle"] | Side | None = None
        self._limits = limits
        self.idle, self._both_wait, self._stop = idle, both_wait, stop
        self._flooding: Side | None = None
        self._begin: list[tuple[Side, bytes]] = []
        self._end: deque[tuple[Side, bytes]] = deque()
        self._begin_size = self._end_size = 0
        self._cut = False
        self._wake_read, self._wake_write = os.pipe()

    def run(self) -> None:
        sides = (self.program, self.interactor)
        moved = time.monotonic()
        while not all(side.exited for side in sides):
            events = self._wait(sides)
            progress = False
            for side, other in (sides, sides[::-1]):
                progress |= self._pass_on(side, other, events)
            if self.first is None:
                # The program comes first: where both ended at the same time, neither knew of the other's end.
                if self.program.stdout_r is None:
                    self.first = "program"
                elif self.interactor.ended:
                    self.first = "interactor"
            now = time.monotonic()
            if progress:
                moved = now
            elif self._flooding is not None and not events and self._drained():
                self._stop_once(self._flooding)
            elif now - moved > self.idle:
                if self._both_wait():
                    self._stop_once(self._flooding or "idle")
                moved = now

    def _wait(self, sides: tuple[_Process, _Process]) -> dict[int, int]:
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        for side, other in (sides, sides[::-1]):
            if side.stdout_r is not None and not side.pending and self._flooding != side.name:
                poll.register(side.stdout_r, select.POLLIN)
            if other.stdin_w is not None:
                # POLLERR is always reported: it means that nobody reads there any more.
                poll.register(other.stdin_w, select.POLLOUT if side.pending else 0)
        events = dict(poll.poll(_TICK * 1000))
        if self._wake_read in events:
            os.read(self._wake_read, 2)
        return events

    def _pass_on(self, side: _Process, other: _Process, events: dict[int, int]) -> bool:
        progress = False
        if other.stdin_w is not None and events.get(other.stdin_w, 0) & select.POLLERR:
            other.stdin_closed = True
            other.close_stdin()
            progress = True
        if side.stdout_r is not None and not side.pending and events.get(side.stdout_r, 0):
            progress = True
            data: bytes | None = None
            with suppress(BlockingIOError):
                data = os.read(side.stdout_r, _CHUNK)
            if data:
                self._record(side.name, data)
                # After the other side has ended, output counts for nothing: how much of it comes before this side is
                # ended as well is a matter of chance.
                if not other.ended:
                    side.sent += len(data)
                if side.sent > self._limits[side.name]:
                    # Not stopped at once: the other side may be about to end, and then that counts.
                    self._flooding = side.name
                # What nobody will read is dropped, so that the sender is not killed by a broken pipe.
                side.pending = b"" if other.stdin_w is None else data
            elif data is not None:
                os.close(side.stdout_r)
                side.stdout_r = None
        if side.pending:
            if other.stdin_w is None:
                side.pending = b""
            else:
                try:
                    with suppress(BlockingIOError):
                        side.pending = side.pending[os.write(other.stdin_w, side.pending) :]
                        progress = True
                except BrokenPipeError:
                    side.pending = b""
                    other.stdin_closed = True
                    other.close_stdin()
        if other.ended and self._flooding == side.name:
            self._flooding = None
        if side.stdout_r is None and not side.pending:
            # The program's end is passed on when it has exited, as Kattis does: a program that closes its output and
            # then crashes or waits has crashed or waits, whatever the interactor would say about the missing output. If
            # the interactor is exiting, that must come first: the kernel closes a process's pipes one after the other,
            # possibly with a pause in between.
            if side.name == "program":
                passed_on = side.exited
            elif side.ended:
                passed_on = True
            else:
                side.stdout_closed_at = side.stdout_closed_at or time.monotonic()
                passed_on = time.monotonic() - side.stdout_closed_at >= _TICK
            if passed_on:
                other.close_stdin()
        return progress

    def _drained(self) -> bool:
        """Whether the flooded side has read everything and waits for more. (A side about to end does not read.)"""
        side, other = self.program, self.interactor
        if self._flooding == "interactor":
            side, other = other, side
        if side.pending or other.stdin_w is None:
            return False
        left = array("i", [0])
        fcntl.ioctl(other.stdin_w, termios.FIONREAD, left)
        return left[0] == 0

    def _stop_once(self, reason: Literal["idle"] | Side) -> None:
        if self.stopped is None:
            self.stopped = reason
            self._stop()

    def exited(self, name: Side) -> None:
        """The process of a side is gone. Called from another thread."""
        (self.program if name == "program" else self.interactor).exited = True
        os.write(self._wake_write, b"x")

    def close(self) -> None:
        for side in (self.program, self.interactor):
            side.close_relay_ends()
            side.close_process_ends()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _record(self, name: Side, data: bytes) -> None:
        begin = data[: _KEPT - self._begin_size]
        if begin:
            self._begin.append((name, begin))
            self._begin_size += len(begin)
            data = data[len(begin) :]
        if not data:
            return
        self._end.append((name, data[-_KEPT:]))
        self._end_size += len(self._end[-1][1])
        self._cut |= len(data) > _KEPT
        while self._end_size - len(self._end[0][1]) >= _KEPT:
            self._end_size -= len(self._end.popleft()[1])
            self._cut = True

    def transcript(self) -> str:
        """The beginning and the end of the conversation: ``>`` marks lines of the program, ``<`` the interactor's."""
        lines = _lines(self._begin)
        if self._cut:
            lines.append("...")
        return "\n".join([*lines, *_lines(self._end)])


def _lines(parts: Iterable[tuple[Side, bytes]]) -> list[str]:
    lines: list[str] = []
    sender: Side | None = None
    whole = True
    for name, data in parts:
        for number, line in enumerate(data.decode(errors="replace").splitlines()):
            if number == 0 and name == sender and not whole:
                lines[-1] += line
            else:
                lines.append(("> " if name == "program" else "< ") + line)
        whole = data.endswith(b"\n")
        sender = name
    return lines


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

    def stop() -> None:
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
