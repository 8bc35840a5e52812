"""Test runs, also those started in the background or sent to a file and read later."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from ...trajectory.model import Result, Shell, ShellOutput
from ..builds.checks import CheckResult, read_tests
from ..commands.classify import Classified, classify_line
from ..events import TestRunEvent, WaitEvent
from ..testruns.self_printed import distortion, runner_output
from ..testruns.trust import Trust
from .ledger import Ledger

_STILL_RUNNING = re.compile(
    r"still running|is running|\brunning in (the )?background|Process running with session", re.IGNORECASE
)


class _Pending:
    """Test commands whose output comes later: started in the background, or sent to a file.

    ``edits``: how many edits there were when they were started; ``watching``: they start anew at every change;
    ``status``: the exit status where it is known already, and ``told`` what follows from that alone.
    """

    def __init__(self, tests: list[Classified], place: dict[str, Any], edits: int) -> None:
        self.tests, self.place, self.edits = tests, place, edits
        self.read = False
        self.status: int | None = None
        self.told: CheckResult | None = None
        self.watching = any(
            w in ("--watch", "--watchAll", "watch", "dev")
            for t in tests
            for w in (*t.command.args, *t.command.wrappers)
        )


class Runs:
    """Test runs: of a call, or of an earlier call whose output comes later."""

    def __init__(self, ledger: Ledger, trust: Trust) -> None:
        self.ledger, self.trust = ledger, trust
        self.shells: dict[str, _Pending] = {}
        self.files: dict[str, _Pending] = {}
        self.pending: list[_Pending] = []

    def test_run(
        self,
        tests: list[Classified],
        status: int | None,
        output: str,
        result: Result | None,
        place: dict[str, Any],
        *,
        alone: bool,
        doubt: str | None = None,
        stopped: bool = False,
    ) -> None:
        """The event of a test run. ``stopped``: a check before it in the same ``&&`` chain failed."""
        redirected = any(
            r.operator.startswith((">", "&>", "1>")) and not r.target.startswith("&")
            for t in tests
            for r in t.command.redirects
        )
        outcome = read_tests(
            tests,
            output,
            status,
            interrupted=result is not None and result.interrupted,
            timed_out=result is not None and result.timed_out,
            redirected=redirected,
            failed_flag=self.ledger.failed_flag(result, tests[-1], alone=len(tests) == 1 and alone),
            distrust=doubt or self.trust.distrust_reason(tests, output),
        )
        report = outcome.report
        assert report is not None
        if stopped and (report.never_ran or report.outcome == "unknown"):
            return  # the shell never came to it
        if redirected and report.passed is None and report.failed is None and not report.failing:
            # Its words went elsewhere: they are read with the file, and the exit status stands until then.
            pending = self.later(tests, place)
            pending.status, pending.told = status, outcome
            for test in tests:
                for redirect in test.command.redirects:
                    self.files[posixpath.basename(redirect.target)] = pending
            return
        event = TestRunEvent(
            **place,
            command=" ; ".join(dict.fromkeys(t.command.text for t in tests)),
            runner=report.runner,
            outcome=report.outcome,
            passed=report.passed,
            failed=report.failed,
            skipped=report.skipped,
            failing=list(report.failing),
            exit_status=status,
        )
        self.ledger.add(event)
        outcome.facts.start_tree = self.ledger.stashed
        self.ledger.check_facts[id(event)] = outcome.facts

    def later(self, tests: list[Classified], place: dict[str, Any]) -> _Pending:
        pending = _Pending(tests, place, len(self.ledger.edit_facts))
        self.pending.append(pending)
        return pending

    def poll(self, action: ShellOutput, result: Result | None, place: dict[str, Any]) -> None:
        pending = self.shells.get(action.shell_id or "")
        if pending is None or result is None:
            self.ledger.add(WaitEvent(**place))
            return
        output = result.stdout if result.stdout is not None else result.text
        if not self.late_output(pending, output, result, place, status=result.exit_status):
            self.ledger.add(WaitEvent(**place))

    def shows(self, part: Classified, result: Result | None, output: str, action: Shell, place: dict[str, Any]) -> None:
        """A command shows files: among them may be what tests have written."""
        if not self.files or result is None:
            return
        words: str | None = None
        for target in part.command.args:
            if not target.startswith("-") and posixpath.basename(target) in self.files:
                if words is None:
                    words = runner_output(action.command, classify_line(action.command), output)
                self.read_later(target, result, words, place, part)

    def read_later(
        self, target: str, result: Result, output: str, place: dict[str, Any], part: Classified | None = None
    ) -> None:
        pending = self.files.get(posixpath.basename(target))
        if pending is None or pending.read or result.is_error:
            return
        doubt = distortion(part, pending.tests[0].runner) if part is not None else None
        self.late_output(pending, output, result, place, doubt=doubt)

    def late_output(
        self,
        pending: _Pending,
        output: str,
        result: Result,
        place: dict[str, Any],
        *,
        status: int | None = None,
        doubt: str | None = None,
    ) -> bool:
        """A test run of a background or redirected command, if its outcome stands in this output.

        It belongs where it was started when edits came in between: it did not test those.
        """
        status = pending.status if status is None else status
        outcome = read_tests(
            pending.tests,
            output,
            status,
            interrupted=False,
            timed_out=result.timed_out,
            redirected=True,
            distrust=doubt or self.trust.distrust_reason(pending.tests, output),
        )
        report = outcome.report
        assert report is not None
        if report.outcome == "unknown" or (_STILL_RUNNING.search(output[-400:]) and report.passed is None):
            return False
        if len(self.ledger.edit_facts) > pending.edits and not pending.watching:
            place = pending.place | {"source": place["source"]}
        pending.read = True
        event = TestRunEvent(
            **place,
            command=" ; ".join(dict.fromkeys(t.command.text for t in pending.tests)),
            runner=report.runner,
            outcome=report.outcome,
            passed=report.passed,
            failed=report.failed,
            skipped=report.skipped,
            failing=list(report.failing),
            exit_status=status,
        )
        self.ledger.add(event)
        self.ledger.check_facts[id(event)] = outcome.facts
        return True

    def unread_runs(self) -> None:
        """Runs whose output nobody ever looked at: they happened, their outcome is unknown."""
        for pending in self.pending:
            if not pending.read:
                pending.read = True
                outcome = pending.told or read_tests(
                    pending.tests, "", None, interrupted=False, timed_out=False, redirected=True
                )
                event = TestRunEvent(
                    **pending.place,
                    command=" ; ".join(dict.fromkeys(t.command.text for t in pending.tests)),
                    runner=pending.tests[0].runner or "unknown",
                    outcome=outcome.outcome,
                    exit_status=pending.status,
                )
                self.ledger.add(event)
                self.ledger.check_facts[id(event)] = outcome.facts
