"""Checks: test runs, builds, lints and program runs of one shell call, read from its command line and output."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace as copy

from ...base.patterns import lazy
from ..commands.classify import Classified
from ..commands.exclusion import excluded, only_excludes
from ..commands.programs import programs
from ..commands.targets import script_name
from ..events import Outcome
from ..facts import CheckFacts
from ..paths import is_absolute_outside
from ..shell.parse import SimpleCommand
from ..testruns.failures import FailedTest, infrastructure, read_failure, signature
from ..testruns.messages import missing_tool
from ..testruns.outcome import TestReport, detect_runner, read_test_run
from ..testruns.runners.base import last as last_match
from .outcome import complains, diagnosed, others_words_prove, read_outcome, silence_proves

# An error of a compiler or type checker, which no linter prints.
_COMPILED = re.compile(r"error (?:TS\d+|\[E\d+\]|CS\d+):")
# Options after which the program's text stands in the command line.
_TYPED = frozenset(("-c", "-e", "--eval"))
_PYTHON = re.compile(r"python[\d.]*$")
# Options of linters that name a configuration.
_CONFIGURES = frozenset(("-c", "--config", "--config-file", "--config-path", "--configuration", "--rcfile"))
# Not of `pnpm exec`, which runs no script.
_PNPM_FAILED = lazy(r"ELIFECYCLE|ERR_PNPM(?!_RECURSIVE_EXEC_FIRST_FAIL\W+Command )")
# The lines with which runners of package scripts begin.
_SCRIPT_HEADER = lazy(r"^(?:> \S.*\n?)+", re.MULTILINE)


def read_tests(
    tests: Sequence[Classified],
    output: str,
    exit_status: int | None,
    *,
    interrupted: bool,
    timed_out: bool,
    redirected: bool,
    failed_flag: bool | None = None,
    distrust: str | None = None,
) -> tuple[TestReport, CheckFacts]:
    """One test run (several test commands of one call count as one run: their output cannot be told apart).

    ``distrust``: why a pass would prove nothing; it is then ``unknown``.
    """
    first = tests[0]
    report = read_test_run(
        first.runner,
        output,
        exit_status,
        interrupted=interrupted,
        timed_out=timed_out,
        redirected=redirected,
        failed_flag=failed_flag,
    )
    distrusted = distrust is not None and report.outcome == "passed"
    if distrusted:
        report.outcome, report.passed, report.reason = "unknown", None, distrust or ""
    # A run of nothing that states success proves nothing, and is no failure to repair.
    failed = report.outcome in ("failed", "error") and not (report.never_ran and exit_status == 0)
    failure = read_failure(output) if failed else None
    targets = tuple(t for c in tests for t in c.targets)
    program = f"{report.runner} {' '.join(sorted(targets))}".strip()
    facts = CheckFacts(
        family="test",
        signature=signature(report.failing, failure, program) if failed else "",
        failing=frozenset(report.failing),
        failing_known=bool(report.failing) or (report.failed == 0 and bool(report.passed)),
        names_some=0 < len(report.failing) < (report.failed or 0) + (report.errors or 0),
        targets=targets,
        selective=all(c.selective and not only_excludes(c) for c in tests),
        excluded=tuple(name for c in tests for name in excluded(c)),
        ran=not report.never_ran,
        failed=failed,
        passed=report.outcome == "passed",
        infrastructure=_infrastructure(output, exit_status, report) if failed else None,
        key=f"test {posixpath.basename(report.runner)} {first.command.cwd or ''}".strip(),
        cwd=first.command.cwd,
        frame=failure.frame if failure else None,
        message=_message(failure) or (report.reason if report.never_ran and report.passed is None else ""),
        distrusted=distrusted,
    )
    return report, facts


def _message(failure: FailedTest | None) -> str:
    return "" if failure is None else f"{failure.exception or ''}: {failure.message or ''}"


def _infrastructure(output: str, exit_status: int | None, report: TestReport) -> str | None:
    if report.failing and not report.never_ran:
        return None  # a named test failed: this is no failure of the infrastructure, whatever its message
    return infrastructure(output, exit_status)


def read_tool(
    check: Classified,
    output: str,
    exit_status: int | None,
    *,
    failed_flag: bool | None,
    timed_out: bool,
    cut: bool = False,
) -> tuple[Outcome, CheckFacts]:
    """A build or a lint. ``cut``: the output is not known as a whole, so that its silence proves nothing."""
    command = check.command
    kind: Literal["build", "lint"] = "build" if check.kind == "build" else "lint"
    if failed_flag is False and exit_status is None and command.status == "exact" and not command.piped_into:
        exit_status = 0
    outcome = read_outcome(kind, _program(check), command.args, output, exit_status, failed_flag)
    if timed_out and not diagnosed(output):
        outcome = "unknown"
    if outcome == "unknown" and not timed_out and not cut:
        behind = command if check.runner is None else copy(command, program=check.runner)
        if silence_proves(behind, output if check.runner is None else _after_header(output)):
            outcome = "passed"
    failed, ran = outcome in ("failed", "error"), outcome != "error"
    failure = read_failure(output) if failed else None
    name = f"{command.program} {' '.join(command.args[:2])}".strip()
    facts = CheckFacts(
        family=check.kind,
        signature=signature([], failure, name) if failed else "",
        failing=frozenset(),
        targets=tuple(check.targets),
        selective=False,
        ran=ran,
        failed=failed,
        passed=outcome == "passed",
        infrastructure=_no_verdict(check, output, exit_status) if failed else None,
        key=f"{check.kind} {_tool(command)} {command.cwd or ''}".strip(),
        cwd=command.cwd,
        tool="" if _is_opaque(check) else f"{check.kind} {check.runner or _tool(command)} {command.cwd or ''}".strip(),
        frame=failure.frame if failure else None,
        message=_message(failure),
        # Beside a program that is not there, the places are those that another command names.
        diagnosed=diagnosed(output) if failed and (ran or missing_tool(output) is None) else {},
    )
    return outcome, facts


def _no_verdict(check: Classified, output: str, exit_status: int | None) -> str | None:
    """Why the failure of a build or lint says nothing of the code; None if it does."""
    if check.kind == "lint" and (path := _foreign_configuration(check.command)) is not None:
        return f"its configuration is not the project's: {path}"
    return infrastructure(output, exit_status)


def _foreign_configuration(command: SimpleCommand) -> str | None:
    """The configuration that a command names, where it is outside the project."""
    for option, value in zip(command.args, [*command.args[1:], ""], strict=False):
        name, _, inline = option.partition("=")
        if name in _CONFIGURES and is_absolute_outside(inline or value, None):
            return inline or value
    return None


def _tool(command: SimpleCommand) -> str:
    """The name under which runs of a build or lint are the same check: ``mise run lint`` is not ``mise run fmt``."""
    groups = programs().groups
    if command.program not in groups.several_checks and command.program not in groups.task_runners:
        return command.program
    words = [a for a in command.args if not a.startswith("-") and "=" not in a]
    if words[:1] == ["run"]:  # ``pnpm run lint`` is ``pnpm lint``
        words = words[1:]
    return " ".join([command.program, *words[: 2 if words[:1] in (["exec"], ["tool"]) else 1]])


def _reports_crashes(program: str) -> bool:
    """Whether a program is an interpreter that reports a crash in its output."""
    return _PYTHON.match(program) is not None or program in programs().groups.crash_reporters


def passed_before(check: Classified, line: Sequence[Classified], output: str, tests: str) -> bool:
    """Whether a check before ``&&`` passed, which the output of a later check of the line proves.

    ``line``: the check and what follows it; ``tests``: what the next tests of it can have printed.
    """
    if line[1:] and _script_passed(check, output):
        return True
    behind = {check.command.text}  # what runs only if the check passes; not the script whose part it is
    for later in line[1:]:
        if not behind.isdisjoint(later.command.guards):
            behind.add(later.command.text)
        elif check.command.status != "if_zero":
            continue
        other = later.kind != check.kind if _is_opaque(check) else _program(later) != _program(check)
        if later.kind in ("lint", "build") and other and complains(_program(later), output):
            return not complains(_program(check), output)
        if later.kind == "test" and detect_runner(tests) is not None:
            return True
        if later.kind == "run" and others_words_prove(check.command, output):
            return True
        if check.kind == "lint" and later.kind == "build" and _COMPILED.search(output):
            return True
        if later.command.text in behind and later.command.program in programs().groups.task_runners:
            task = next((a for a in reversed(later.command.args) if re.fullmatch(r"[\w:.-]+", a) and a[0] != "-"), "")
            name = re.escape(task)
            # The header of a script that contains the check comes before it.
            _, echo, rest = output.rpartition(f"\n> {check.command.text}\n")
            shown = rest if echo else output
            if len(task) > 2 and re.search(
                rf"^(?:\[{name}(?::[\w:-]+)?\] |> .*\b{name}(?: /\S*)?$)", shown, re.MULTILINE
            ):
                return True
    return False


def _program(check: Classified) -> str:
    """The program of a build or lint, also behind a script."""
    return check.runner or check.command.program


def _is_opaque(check: Classified) -> bool:
    """Whether a command is a script or target, and what it runs is not known."""
    return check.runner is None and check.command.program in programs().groups.task_runners


def _after_header(output: str) -> str:
    """What a script printed, if it was the last of its line."""
    last = last_match(_SCRIPT_HEADER.finditer(output))
    return output if last is None else output[last.end() :]


def _script_passed(check: Classified, output: str) -> bool:
    """Whether pnpm shows that it started a script, and does not say that it failed, which it always does."""
    if check.command.program != "pnpm" or check.command.piped_into or _PNPM_FAILED.search(output):
        return False
    return re.search(rf"^> \S+@\S* {re.escape(script_name(check))}(?: /\S*)?$", output, re.MULTILINE) is not None


def read_program(
    check: Classified, output: str, exit_status: int | None, *, failed_flag: bool | None, truncated: bool = False
) -> CheckFacts | None:
    """A run of a program of the project (a reproduction script, an example); None if it is no check.

    It is a check only when it runs a file: code typed into the command line cannot be repaired and run again.
    """
    command = check.command
    name = command.path if command.path.startswith("./") else command.program
    if (
        check.kind != "run"
        or not (name.startswith("./") or name in programs().groups.launchers or _reports_crashes(name))
        or command.stdin is not None
        or not _TYPED.isdisjoint(command.args)
    ):
        return None
    script = next((a for a in command.args if not a.startswith("-")), None)
    if _reports_crashes(command.program) and script is None and "python -m" not in command.wrappers:
        return None
    failure = read_failure(output)
    stated_ok = exit_status == 0
    failed = (exit_status not in (None, 0) or failed_flag is True or (failure is not None and not stated_ok)) and (
        failure is not None
    )
    # Without an exit status in the log: an interpreter reports its crash, so a complete output without such a report
    # shows that there was none.
    silent = (
        exit_status is None
        and failed_flag is None
        and _reports_crashes(command.program)
        and not command.piped_into
        and not command.redirects
        and not truncated
    )
    passed = not failed and (stated_ok or failed_flag is False or silent) and failure is None
    if not failed and not passed:
        return None
    key = f"run {name} {script or ''}".strip()
    return CheckFacts(
        family="run",
        signature=signature([], failure, key) if failed else "",
        failing=frozenset(),
        targets=(script,) if script else (),
        selective=False,
        ran=True,
        failed=failed,
        passed=passed,
        infrastructure=infrastructure(output, exit_status) if failed else None,
        key=key,
        frame=failure.frame if failure else None,
        message=_message(failure),
    )


def hidden_tests(check: Classified, output: str, believed: Callable[[str], bool]) -> str | None:
    """The runner whose summary a task runner's output ends with (``make``, ``npm run ci``, ``./ci.sh``); else None.

    ``believed`` is asked whether a script (by its base name) can check anything: one that the agent wrote only to print
    a summary cannot.
    """
    command = check.command
    if check.kind not in ("run", "build", "lint", "service"):
        return None
    script = command.path.startswith("./") or command.program in ("bash", "sh")
    if command.program not in programs().groups.task_runners and not script:
        return None
    if script:
        target = (
            command.path
            if command.path.startswith("./")
            else next((a for a in command.args if not a.startswith("-")), "")
        )
        if not target or not believed(posixpath.basename(target)):
            return None
    return detect_runner(output)
