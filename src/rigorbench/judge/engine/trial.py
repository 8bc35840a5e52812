"""One run of a test point: the program, then the decision about its output."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, structs

from ...sandbox.cell.spec import CellError
from ..build.program import NONCE_FD, REPORTS_FD, RESULTS_FD, Built, BuiltProgram
from ..judgement import PointResult, ProgramUsage
from ..problems.problem import Case, Sanitizer
from ..problems.verdicts import VERDICTS, Verdict, findings
from .cells import ReusableCell, SlotTools
from .checking import Job, ToolError, check, decide
from .interacting import interact
from .verdicts import (
    CheckerDecision,
    Ending,
    bounds,
    decoded,
    ending,
    run_limits,
    seconds,
    signal_name,
    usage,
    was_starved,
    worth_retrying,
)

_REPORT: Final = 1 << 20


# The last line of valgrind's report. Sanitized programs end theirs with `rigor-checked NONCE` after the leak check.
_SUMMARY = re.compile(rb"^==\d+== ERROR SUMMARY: \d+ errors", re.MULTILINE)
_ADDRESS = re.compile(rb"ERROR: AddressSanitizer: ([\w-]+)")
_FAILED = re.compile(rb"LeakSanitizer has encountered a fatal error|(?:Address|Leak)Sanitizer: CHECK failed")
_LEAKED = re.compile(rb"SUMMARY: \w+Sanitizer: (\d+) byte\(s\) leaked in (\d+) allocation")
_LEAK = re.compile(rb"ERROR: LeakSanitizer: detected memory leaks")
_LOST = re.compile(rb"^==\d+== +definitely lost: ([\d,]+) bytes in ([\d,]+) blocks", re.MULTILINE)
_INVALID = re.compile(
    rb"^==\d+== (Invalid (?:read|write) of size \d+|Invalid free\(\)[^\n]*|Mismatched (?:free|new)[^\n]*|"
    rb"Jump to the invalid address|Source and destination overlap|"
    rb"Process terminating with default action of signal (?:11|7) )",
    re.MULTILINE,
)
_UNINITIALISED = re.compile(
    rb"^==\d+== (?:Conditional jump or move depends on uninitialised|Use of uninitialised value|Syscall param [^\n]* "
    rb"(?:uninitialised|contains uninit))",
    re.MULTILINE,
)
# Errors of AddressSanitizer for lack of memory: no access was wrong.
_NO_ACCESS = (b"out-of-memory", b"allocation-size-too-big", b"rss-limit-exceeded", b"calloc-overflow")
_WORDS = {
    b"alloc-dealloc-mismatch": "memory freed by another function than allocated it",
    b"attempting": "memory freed twice, or never allocated",
}


def read_report(
    report: bytes, nonce: str, sanitizer: Sanitizer
) -> tuple[Verdict | None, str, Literal["checked", "unchecked", "failed"]]:
    """The worst finding of a report of LeakSanitizer, AddressSanitizer or valgrind, without data of the program; a
    message; and whether the tool failed, or the program exited before the tool's final check.

    Their exit status says little: LeakSanitizer uses the same one for a leak and for its own failure. Without the last
    line nothing was checked: a program may exit in ways that skip the leak check.
    Findings that `sanitizer` does not look for are left out: where valgrind replaces another tool it sees more, and a
    verdict must not depend on the tool.

    `nonce`: known to the program's start-up code only, so that the program cannot write the last line itself.
    """
    found = [(verdict, message) for verdict, message in _findings(report) if verdict in findings(sanitizer)]
    if found:
        verdict, message = min(found, key=lambda item: VERDICTS.index(item[0]))
        return verdict, message, "checked"
    if _FAILED.search(report):
        return None, "the sanitizer failed", "failed"
    if f"rigor-checked {nonce}".encode() not in report.splitlines() and not _SUMMARY.search(report):
        return None, "the program exited before its memory could be checked", "unchecked"
    return None, "", "checked"


def _findings(report: bytes) -> Iterator[tuple[Verdict, str]]:
    for address in _ADDRESS.finditer(report):
        kind = address[1]
        if kind not in _NO_ACCESS:
            yield "invalid_access", _WORDS.get(kind, kind.decode().replace("-", " "))
    if match := _INVALID.search(report):
        words = match[1].decode(errors="replace").strip()
        yield "invalid_access", words[0].lower() + words[1:]
    if _UNINITIALISED.search(report):
        yield "uninitialised_read", "an uninitialised value was used"
    if match := _LEAKED.search(report):
        yield "memory_leak", f"{int(match[1])} bytes leaked in {int(match[2])} allocations"
    elif _LEAK.search(report):
        yield "memory_leak", "memory leaked"
    for lost in _LOST.finditer(report):
        if count := int(lost[1].replace(b",", b"")):
            yield "memory_leak", f"{count} bytes leaked in {lost[2].decode().replace(',', '')} allocations"


_INSIDE = "/code"


class Trial(Struct):
    """One run of a test point."""

    point: PointResult
    retry: bool = False
    """It is worth running again, alone and with more wall clock time."""
    unchecked: bool = False
    """It ended well, but in a way that its memory could not be checked."""


def program_of(built: Built, case: Case) -> BuiltProgram:
    """The program that runs a case. Raises: ToolError: the package does not have the case's driver."""
    program = built.programs.get(case.driver or "")
    if program is None:
        raise ToolError(f"{case.id}: no driver {case.driver!r}; the package has: {', '.join(built.programs)}")
    return program


def run_trial(job: Job, program: BuiltProgram, cell: ReusableCell, slot_tools: SlotTools) -> Trial:
    """Run a test point and judge its output. Raises: CellError, ToolError."""
    given: bytes | None = None
    # The runs of a multi-pass problem. Limits apply to each, so the largest CPU time and memory are shown.
    largest = ProgramUsage()
    try:
        for _ in range(job.problem.passes):
            trial, checked = _pass(job, program, cell, slot_tools, given)
            used = trial.point.usage
            cpu = max(filter(None, (used.cpu, largest.cpu)), default=used.cpu)
            memory = max(filter(None, (used.memory, largest.memory)), default=used.memory)
            trial.point.usage = largest = structs.replace(used, cpu=cpu, memory=memory)
            given = checked.next_input if checked is not None and trial.point.verdict == "accepted" else None
            if given is None:
                return trial
        raise ToolError(f"{job.case.id}: the checker asks for more than {job.problem.passes} passes")
    finally:
        # A program that fails in a later pass leaves what the checker noted for itself.
        if job.problem.passes > 1:
            slot_tools.clear()


def _pass(
    job: Job, program: BuiltProgram, cell: ReusableCell, slot_tools: SlotTools, given: bytes | None
) -> tuple[Trial, CheckerDecision | None]:
    """One run of a program and the decision about it. `given`: its input, instead of the test point's."""
    # Launch: the program in its cell, beside the interactor if there is one.
    bound = bounds(job.problem, program)
    if job.case.files is not None:
        cell.put(job.case.files)
    # A driver's result ends with a trailer, which comes on top of what the problem allows.
    nonce, most = secrets.token_hex(16), bound.output + 64
    captured = {RESULTS_FD: most + 1} if program.driver else {}
    if program.reports is not None:
        captured[REPORTS_FD] = _REPORT
    files: dict[int, int] = {}
    with ExitStack() as opened:
        if program.driver or program.reports == "sanitizer":
            files[NONCE_FD], write = os.pipe()
            opened.callback(os.close, files[NONCE_FD])
            os.write(write, f"{nonce}\n".encode())
            os.close(write)
        run = program.run(
            job.case.args,
            run_limits(bound),
            files=files,
            captured=captured,
            fresh=job.fresh,
            whole_disk=not job.fresh,
            # No sanitizer would see the leaks of a child process that is killed before it is checked.
            forks=job.sanitizer is None,
        )
        checked: CheckerDecision | None = None
        if job.tools.interactor is not None:
            measured, end, checked, details = interact(job, run, bound, cell, slot_tools)
        else:
            run.stdin = given
            if given is None:
                try:
                    run.stdin = opened.enter_context(job.case.input.open("rb")).fileno()
                except OSError as error:
                    raise ToolError(f"{job.case.input}: {error.strerror}") from None
            measured = cell.run(run)
            end, details = ending(measured, bound), ""
    if was_starved(measured, run.limits):
        # The session tries it again; then it is a failure of this machine.
        raise CellError(f"others had its processor for {seconds(measured.starved)} of {seconds(measured.wall)}")
    if measured.failed is not None and not program.argv[0].startswith(_INSIDE):
        raise ToolError(f"{program.argv[0]} could not be started: {measured.failed}")
    # Verdict by how it ended: measurements, then what a sanitizer saw.
    # What only a driver or a virtual machine can show about it.
    marker = program.memory_marker.encode()
    result, report = measured.captured.get(RESULTS_FD, b""), measured.captured.get(REPORTS_FD, b"")
    if len(result) > most and end.verdict != "output_limit_exceeded":
        end = Ending("output_limit_exceeded", "the driver's result is too long")
    elif end.verdict == "runtime_error" and marker and marker in measured.stderr:
        # A virtual machine has its own memory limit, just below the judge's, and ends with an exit code.
        end = Ending("memory_limit_exceeded", "the language's run-time ran out of memory")
    retry = end.verdict is not None and worth_retrying(measured, bound)
    unchecked = False
    if job.sanitizer is not None and end.verdict in (None, "runtime_error"):
        verdict, message, state = read_report(report, nonce, job.sanitizer)
        if state == "failed":
            raise ToolError(f"{job.case.id}: {message} on it: {decoded(report, 400)}")
        if verdict is not None:
            end, details = Ending(verdict, message), decoded(report, 8000)
        unchecked = state == "unchecked" and end.verdict is None
    # Check: its output, unless the interactor has decided.
    if end.verdict is None and checked is None:
        trailer = f"\n{nonce}\n".encode() if program.driver else b""
        if not result.endswith(trailer):
            # It did not finish, or something was written after it.
            end = Ending("runtime_error", "the program ended before the driver did")
        else:
            checked = check(job, result.removesuffix(trailer) if program.driver else measured.stdout, slot_tools)
    # Verdict and score.
    point = PointResult(
        id=job.case.id,
        verdict="accepted",
        score=1.0,
        details=details,
        usage=usage(measured),
        exit_code=measured.exit_code,
        signal=None if measured.signal is None else signal_name(measured.signal),
    )
    if end.verdict is not None:
        point.verdict, point.score, point.message = end.verdict, 0.0, end.message
        # Standard error may quote the input, so it is for the judge's owner.
        point.details = details or decoded(measured.stderr, 2000)
    elif checked is not None:
        decide(point, checked, job)
    return Trial(point, retry, unchecked), checked


def output_only(job: Job, root: Path, slot_tools: SlotTools) -> Trial:
    """Judge a test point whose output is a file of the submission. Raises: ToolError, CellError."""
    name = job.problem.build.artefact.replace("{case}", job.case.id.rsplit("/", 1)[-1])
    path = root / name
    point = PointResult(job.case.id, "accepted", 1.0)
    try:
        size = path.stat().st_size
        output = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        size, output = 0, None
    if output is None:
        point.verdict, point.score, point.message = "wrong_answer", 0.0, f"there is no file {name}"
    elif size > job.problem.limits.output:
        point.verdict, point.score, point.message = "output_limit_exceeded", 0.0, f"{name} is too large"
    else:
        point.usage = ProgramUsage(output=size)
        decide(point, check(job, output, slot_tools), job)
    return Trial(point)
