"""Test runs, also those started in the background or sent to a file and read later."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace as copy

from ...session.model import Result, Shell, ShellOutput, ToolCall
from ..builds.checks import read_tests
from ..commands.classify import Classified, classify_line
from ..events import Position, TestRunEvent, WaitEvent
from ..facts import CheckFacts
from ..shell.parse import statuses
from ..testruns.outcome import TestReport
from ..testruns.self_printed import distortion, runner_output
from ..testruns.several import LineRun
from ..testruns.trust import Trust
from .found import Found, ShellCall
from .trees import SessionTrees, Visit

_STILL_RUNNING = re.compile(
    r"still running|is running|\brunning in (the )?background|Process running with session", re.IGNORECASE
)


class _Pending(Struct):
    """Test commands whose output comes later: started in the background, or sent to a file."""

    tests: list[Classified]
    at: Position
    edits: int
    """Number of edits when they were started."""
    visits: list[Visit]
    """The visits of other trees that they are part of."""
    last: str
    """Id of the last event when they were started."""
    line: Sequence[Classified] = ()
    """All commands of the line, whose exit status a background shell has."""
    read: bool = False
    """Their event has been made."""
    status: int | None = None
    """The exit status, where it is already known."""
    by_status: tuple[TestReport, CheckFacts] | None = None
    """What follows from the exit status alone."""

    def is_watching(self) -> bool:
        """Whether the tests start again at every change."""
        return any(
            w in ("--watch", "--watchAll", "watch", "dev")
            for t in self.tests
            for w in (*t.command.args, *t.command.wrappers)
        )


class LateRuns:
    """Test runs: of a call, or of an earlier call whose output comes later.

    Attributes:
        shells: runs in the background, by the id of their shell.
        files: runs whose output went to a file, by its base name.
    """

    def __init__(self, found: Found, trust: Trust, trees: SessionTrees) -> None:
        self.found, self.trust, self.trees = found, trust, trees
        self.shells: dict[str, _Pending] = {}
        self.files: dict[str, _Pending] = {}
        self.pending: list[_Pending] = []

    def test_run(
        self,
        run: LineRun,
        call: ShellCall,
        *,
        alone: bool,
        doubt: str | None = None,
        stopped: bool = False,
        recorded: bool = False,
    ) -> None:
        """The event of a test run.

        ``alone``: the call runs nothing else; ``doubt``: why a pass would prove nothing; ``stopped``: a check before it
        in the same ``&&`` chain failed; ``recorded``: the runner itself was seen to end with the status.
        """
        tests, output, status, result = run.tests, run.output, run.status, call.result
        redirected = any(
            r.operator.startswith((">", "&>", "1>")) and not r.target.startswith("&")
            for t in tests
            for r in t.command.redirects
        )
        report, facts = read_tests(
            tests,
            output,
            status,
            interrupted=result is not None and result.interrupted,
            timed_out=result is not None and result.timed_out,
            redirected=redirected,
            failed_flag=self.found.failed_flag(result, tests[-1], alone=len(tests) == 1 and alone),
            distrust=doubt or self.trust.distrust_reason(tests, output),
        )
        if recorded and status is not None and status <= 128 and report.outcome == "unknown":
            report.outcome = "failed" if status else "passed"
            facts.failed, facts.passed, facts.ran = bool(status), not status, True
        if run.shared:
            report.passed = report.failed = report.skipped = None
        if stopped and (report.never_ran or report.outcome == "unknown"):
            return  # the shell did not start it
        files = [r.target for t in tests for r in t.command.redirects] if redirected else []
        if result is not None and result.full_output and report.outcome == "unknown":
            files.append(result.full_output)  # what of it is shown decides nothing
        if files and report.passed is None and report.failed is None and not report.failing:
            # The output is read with the file. Until then only the exit status is known.
            pending = self.later(tests, call)
            pending.status, pending.by_status = status, (report, facts)
            for file in files:
                self.files[posixpath.basename(file)] = pending
            return
        visits = self.trees.now(tests[0].command.cwd or call.action.cwd)
        self._add(tests, report, facts, status, call.at, visits)

    def _add(
        self,
        tests: list[Classified],
        report: TestReport,
        facts: CheckFacts,
        status: int | None,
        at: Position,
        visits: list[Visit],
        after: str | None = None,
    ) -> None:
        """The event of a run. ``after``: id of the event that it follows; None: the last."""
        event = TestRunEvent(
            **self.found.head(at),
            command=" ; ".join(dict.fromkeys(t.command.text for t in tests)),
            runner=report.runner,
            outcome=report.outcome,
            passed=report.passed,
            failed=report.failed,
            skipped=report.skipped,
            failing=list(report.failing),
            exit_status=status,
        )
        self.found.add(event, after)
        self.found.checks[event.id] = facts
        self.trees.ran(event.id, visits, facts)

    def later(self, tests: list[Classified], call: ShellCall, line: Sequence[Classified] = ()) -> _Pending:
        visits = self.trees.now(tests[0].command.cwd or call.action.cwd)
        last = self.found.events[-1].id if self.found.events else ""
        pending = _Pending(tests, call.at, len(self.found.edits), visits, last, line)
        self.pending.append(pending)
        return pending

    def poll(self, action: ShellOutput, result: Result | None, at: Position) -> None:
        """The event of a call that asks for the output of a command in the background."""
        pending = self.shells.get(action.shell_id or "")
        if pending is not None and result is not None:
            output = result.stdout if result.stdout is not None else result.text
            own = statuses([p.command for p in pending.line], result.exit_status)
            status = next((s for p, s in zip(pending.line, own, strict=True) if p is pending.tests[-1]), None)
            if (not pending.read or pending.is_watching()) and self.late_output(
                pending, output, result, at, status=status
            ):
                return
        self.found.add(WaitEvent(**self.found.head(at)))

    def shows(self, part: Classified, call: ShellCall) -> None:
        """A command shows files, which may contain the output of tests."""
        if not self.files or call.result is None:
            return
        words: str | None = None
        for target in part.command.args:
            if not target.startswith("-") and posixpath.basename(target) in self.files:
                if words is None:
                    words = runner_output(call.action.command, classify_line(call.action.command), call.output)
                self.read_later(target, call.result, words, call.at, part)

    def read_later(
        self, target: str, result: Result, output: str, at: Position, part: Classified | None = None
    ) -> None:
        pending = self.files.get(posixpath.basename(target))
        if pending is None or pending.read or result.is_error:
            return
        doubt = distortion(part, pending.tests[0].runner) if part is not None else None
        self.late_output(pending, output, result, at, doubt=doubt)

    def late_output(
        self,
        pending: _Pending,
        output: str,
        result: Result,
        at: Position,
        *,
        status: int | None = None,
        doubt: str | None = None,
    ) -> bool:
        """A test run of a background or redirected command, if this output shows its outcome.

        The event goes where the run was started when there were edits since: it did not test those.
        """
        # ``tail`` prints nothing before the tests have ended.
        tail = "tail" in pending.tests[-1].command.piped_into
        ended = not result.running or tail or pending.is_watching()
        if status is None and ended:
            status = pending.status
        report, facts = read_tests(
            pending.tests,
            output,
            status,
            interrupted=result.interrupted,
            timed_out=result.timed_out,
            redirected=True,
            distrust=doubt or self.trust.distrust_reason(pending.tests, output),
        )
        if report.outcome == "unknown" or (_STILL_RUNNING.search(output[-400:]) and report.passed is None):
            return False
        if not ended and report.outcome != "failed":
            return False  # what follows may still fail
        earlier = len(self.found.edits) > pending.edits and not pending.is_watching()
        if earlier:
            at = copy(pending.at, source=at.source)
        pending.read = True
        self._add(pending.tests, report, facts, status, at, pending.visits, pending.last if earlier else None)
        return True

    def unread_runs(self) -> None:
        """Runs whose output the agent never read: they happened, and their outcome is unknown."""
        for pending in self.pending:
            if pending.read:
                continue
            pending.read = True
            report, facts = pending.by_status or read_tests(
                pending.tests, "", pending.status, interrupted=False, timed_out=False, redirected=True
            )
            self._add(pending.tests, report, facts, pending.status, pending.at, pending.visits, pending.last)


_INTERRUPT = "\x03"


class _Process(Struct):
    """A command that goes on. ``edits``: how many edits there were when it was started."""

    call: ToolCall
    at: Position
    edits: int
    chunks: list[Result]
    interrupted: bool = False

    def joined(self, *, ended: bool) -> ToolCall:
        """The call, as if it had returned when the process ended, or when it was last asked for."""
        first, last = self.chunks[0], self.chunks[-1]
        result = copy(
            first,
            text="".join((chunk.stdout if chunk.stdout is not None else chunk.text) for chunk in self.chunks),
            stdout=None,
            exit_status=None if self.interrupted else last.exit_status,
            time=last.time,
            duration=None,
            interrupted=not ended,
            timed_out=last.timed_out,
            truncated=any(chunk.truncated for chunk in self.chunks),
            shell_id=None,
        )
        return copy(self.call, result=result)


class RunningProcesses:
    """The processes that go on at one point of the session, by lane and id."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._running: dict[tuple[str, str], _Process] = {}

    def goes_on(self, call: ToolCall, action: Shell, at: Position) -> bool:
        """Whether a call returned before its command ended, without having been told not to wait for it."""
        result = call.result
        if result is None or result.shell_id is None or result.exit_status is not None or action.background:
            return False
        self._running[at.lane, result.shell_id] = _Process(call, at, len(self.found.edits), [result])
        return True

    def asked(self, action: ShellOutput, result: Result | None, at: Position) -> tuple[ToolCall, Position] | None:
        """Takes what a call shows of a process. If the process has ended: its call, and where it belongs.

        A command that ended after later edits stays where it was started: it did not see them.
        """
        process = self._running.get((at.lane, action.shell_id or ""))
        if process is None or result is None:
            return None
        process.chunks.append(result)
        process.interrupted = process.interrupted or _INTERRUPT in (action.stdin or "")
        if result.exit_status is None:
            return None
        del self._running[at.lane, action.shell_id or ""]
        return process.joined(ended=True), at if len(self.found.edits) == process.edits else process.at

    def left(self) -> Iterator[tuple[ToolCall, Position]]:
        """The processes of which the log does not show that they ended."""
        for process in self._running.values():
            yield process.joined(ended=False), process.at
