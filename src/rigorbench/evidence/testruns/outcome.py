"""From the output and exit status of a test command to what the run showed."""

from __future__ import annotations

import re

from msgspec import Struct, field

from ...base.patterns import Pattern, lazy
from ..commands.programs import programs
from ..events import Outcome
from .messages import missing_tool
from .runners import KnownRunner, RunnerSummary, conclude, find_runner, recognise
from .runners.clean import clean


class TestReport(Struct):
    """What one run of tests showed."""

    __test__ = False  # not a test class, although its name begins like one

    runner: str
    """Its canonical name, refined by the output (an npm script that runs jest is "jest")."""
    outcome: Outcome
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None
    failing: list[str] = field(default_factory=list)
    """Test ids as the runner prints them, without what varies between runs."""
    never_ran: bool = False
    """No test was executed (missing tool, import error at collection, nothing selected)."""
    timed_out: bool = False
    """The harness or timeout(1) stopped it."""
    reason: str = ""
    """Why no test was executed, or why nothing is known of those that were."""


# Exit statuses of a run that was stopped from outside: timeout(1), Ctrl-C, SIGKILL, SIGTERM, a closed pipe.
_STOPPED = frozenset((124, 130, 137, 141, 143, -2, -9, -13, -15))


def read_test_run(
    runner: str | None,
    output: str,
    exit_status: int | None,
    *,
    interrupted: bool = False,
    timed_out: bool = False,
    redirected: bool = False,
    failed_flag: bool | None = None,
) -> TestReport:
    """The outcome of a run of ``runner`` (any usual name; None, "make", "npm-script" ...: the output shows the runner).

    ``exit_status`` and ``failed_flag`` (the log's own flag that the command failed, for formats that flag every failed
    command) must be given only when they are the runner's own, not those of a pipe's last program or of ``|| true``.
    ``redirected``: the runner's output went elsewhere by command, so that its absence means nothing.

    Rules, the first that applies:

    1. The runner's closing summary decides, several of them are added up and one failure among them fails the whole.
       A summary without failures beside a bad exit status is an ``error`` (coverage threshold, failed teardown), unless
       the run was only stopped after it had reported. Nothing executed is an ``error`` with ``never_ran``, whatever the
       exit status; only skipped tests are ``unknown``.
    2. No summary, but failing tests shown: ``failed``, unless exit status 0 contradicts.
    3. Exit status 0: ``passed`` for runners that cannot exit 0 without a passing test (pytest, jest, vitest, ...), and
       only if they printed something or were redirected; else ``unknown``. Other statuses: ``error``.
    4. A plain script (``runner="script"``) is judged by its exit status; without one, a traceback is a failure.
    5. Otherwise ``unknown``, as is a run that was stopped before it reported a failure: it did not finish.
    """
    text = clean(output)
    known = find_runner(runner)
    summary = _summary(known, text)
    status = exit_status if exit_status is not None else (None if failed_flag is None else int(failed_flag))
    timed_out = timed_out or exit_status == 124
    name = summary.runner if summary is not None else (known.name if known else runner or "unknown")
    report = TestReport(name, "unknown", timed_out=timed_out)
    if summary is not None and _decides(report, summary, status, interrupted):
        pass
    elif known is None and runner in programs().groups.script_runners:
        _judge_script(report, text, status)
    else:
        _judge_status(report, known, text, status, redirected)
    if report.outcome == "error" and (timed_out or interrupted or exit_status in _STOPPED):
        report.outcome, report.never_ran, report.reason = "unknown", False, "stopped before it ended"
    return report


def detect_runner(output: str) -> str | None:
    """The runner that wrote ``output``, or None when nothing in it looks like a run of tests."""
    summary = recognise(clean(output))
    return summary.runner if summary is not None else None


def _summary(known: KnownRunner | None, text: str) -> RunnerSummary | None:
    summary = known.read(text) if known is not None else None
    if summary is not None and summary.final:
        return summary
    other = recognise(text, asked=True)
    if other is not None and (summary is None or other.final):
        return other
    return summary


def _decides(report: TestReport, summary: RunnerSummary, status: int | None, interrupted: bool) -> bool:
    """Fills the report from the summary; False if it is too little, so that the exit status has to decide."""
    outcome, never_ran = conclude(summary)
    stopped = interrupted or report.timed_out or status in _STOPPED
    if not summary.final:
        if outcome == "unknown" or (outcome == "failed" and status == 0):
            _copy_counts(report, summary)
            report.failing, report.failed = [], None
            return False
    elif outcome in ("passed", "unknown") and status and not stopped:
        outcome = "error"
    report.outcome, report.never_ran, report.reason = outcome, never_ran, summary.reason
    report.failing = list(summary.failing)
    _copy_counts(report, summary)
    return True


def _copy_counts(report: TestReport, summary: RunnerSummary) -> None:
    report.passed, report.failed = summary.passed, summary.failed
    report.skipped, report.errors = summary.skipped, summary.errors


_BROKEN_IMPORT = lazy(
    r"^(?:\w+\.)*(ModuleNotFoundError|ImportError|SyntaxError|IndentationError|ImproperlyConfigured)\b", re.M
)
_NODE_IMPORT = lazy(r"^(?:\w*Error(?: \[\w+\])?: )?(?:Cannot find (?:module|package) '.*|SyntaxError: .*)$", re.M)
_OWN_MARKS = ("FAIL", "❌", "✗", "✘", "✖", "not ok", "AssertionError")
_OWN_FAILURE = lazy(
    r"^[^\S\n]*(?:❌|✗|✘|✖|FAIL(?:ED|URE)?\b|not ok\b|\[FAIL(?:ED)?\]|AssertionError\b)|: FAIL(?:ED)?$", re.M
)


_OWN_ERROR = lazy(r"^[^\S\n]*(?:\[?ERROR\b(?!S?:? 0\b)|Error:|Traceback \(most recent)[^\n]*", re.M)
_OWN_SUCCESS = lazy(r"\b(?:passed|succeeded|successful(?:ly)?|ok|OK|PASS|PASSED|SUCCESS)\b|[✓✔✅🎉]")


def _caught(text: str) -> bool:
    """Whether a script printed an error and survived it, unless its output ends with words of success.

    Only its author knows whether the error was intended (a test of the error) or is the defect it demonstrates.
    """
    signs = "ERROR" in text or "Error:" in text or "Traceback" in text
    return signs and _OWN_ERROR.search(text) is not None and not says_success(text)


def says_success(text: str) -> bool:
    """Whether the output of a script ends with words of success."""
    return _OWN_SUCCESS.search("\n".join(text.rstrip().rsplit("\n", 3)[-3:])) is not None


def _judge_script(report: TestReport, text: str, status: int | None) -> None:
    """A script that checks something by itself: the exit status decides, then signs of a crash."""
    trace = "Traceback (most recent call last)" in text
    own = any(mark in text for mark in _OWN_MARKS) and _OWN_FAILURE.search(text) is not None
    if status == 0:
        failed = own or (trace and _ends_in_exception(text))
        report.outcome = "failed" if failed else "unknown" if _caught(text) else "passed"
    elif (broken := _never_ran(report.runner, text, status)) is not None:
        report.outcome, report.never_ran, report.reason = "error", True, broken
    elif (status is not None and status not in _STOPPED) or trace:
        report.outcome = "failed"
    elif ": error:" in text and (errors := _COMPILER_COUNT.search(text)) is not None:
        report.outcome, report.never_ran, report.reason = "error", True, f"compiler: {errors[0]}"
    elif own:
        report.outcome = "failed"


def _judge_status(
    report: TestReport, known: KnownRunner | None, text: str, status: int | None, redirected: bool
) -> None:
    """No closing summary: the exit status, and whether the runner was started at all."""
    if status == 0:
        if known is not None and known.strict and (redirected or text.strip()):
            report.outcome = "passed"
    elif (broken := _never_ran(report.runner, text, status)) is not None:
        report.outcome, report.never_ran, report.reason = "error", True, broken
    elif status is not None:
        report.outcome, report.reason = "error", f"exit status {status} without a summary"
    elif "Traceback (most recent call last)" in text and _ends_in_exception(text):
        # The runner itself crashed: in Python a test's own exception is always followed by a summary.
        report.outcome, report.reason = "error", text.rstrip().rsplit("\n", 1)[-1].strip()[:160]
        report.never_ran = "test session starts =" not in text


def _never_ran(runner: str, text: str, status: int | None) -> str | None:
    """Why no test was executed, if the exit status or a message shows that; else None."""
    if (line := missing_tool(text)) is not None:
        return line
    if status in (126, 127):
        return f"exit status {status}: the program could not be started"
    if runner == "pytest" and status in (4, 5):
        return f"exit status {status}: " + ("usage error" if status == 4 else "no tests collected")
    if "Error: no test specified" in text:
        return "Error: no test specified"
    if runner in programs().groups.python_runners and (
        broken := _last(_BROKEN_IMPORT, text) if "Error" in text or "Improperly" in text else None
    ):
        return broken
    if runner in ("minitest", "rspec", "script", "ruby") and "cannot load such file" in text:
        return "cannot load such file"
    if ("Cannot find " in text or "SyntaxError" in text) and (match := _NODE_IMPORT.search(text)):
        return match[0].strip()[:160]
    return None


_COMPILER_COUNT = lazy(r"^\d+ errors?$", re.M)
_EXCEPTION_LINE = lazy(r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failed)?(?::|$)")


def _ends_in_exception(text: str) -> bool:
    """Whether the last line that is not indented is the one with which a traceback ends."""
    lines = text.rstrip()[-4000:].split("\n")
    last = next((line for line in reversed(lines) if line[:1].strip()), "")
    at = text.rfind("Traceback (most recent call last)")
    return bool(_EXCEPTION_LINE.match(last)) and 0 <= at < text.rfind(last)


def _last(pattern: Pattern, text: str) -> str | None:
    """The last exception line of the text, if the pattern matches it."""
    end = text.rfind("Error")
    end = max(end, text.rfind("ImproperlyConfigured"))
    start = text.rfind("\n", 0, end) + 1
    match = pattern.match(text, start)
    stop = text.find("\n", start)
    return text[start : stop if stop >= 0 else len(text)].strip()[:160] if match else None
