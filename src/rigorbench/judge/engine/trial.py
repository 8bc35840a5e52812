"""One run of a test point: the program, then the decision about its output."""

from __future__ import annotations

import os
import re
import secrets
import select
import threading
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
_CHUNK: Final = 64 << 10


class _Stream:
    def __init__(self, most: int) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self.most = most
        self.data = bytearray()
        self.received = 0

    def drain(self) -> bool:
        """Read what is available; False: nobody can write any more."""
        while True:
            try:
                chunk = os.read(self.read, _CHUNK)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self.received += len(chunk)
            if len(self.data) < self.most:
                self.data += chunk[: self.most - len(self.data)]


class Channels:
    """The private descriptors of one run: pass :attr:`files` to it, and read the results after :meth:`close`."""

    def __init__(self, program: BuiltProgram, most: int) -> None:
        """``most``: bytes of a driver's result."""
        self.nonce = secrets.token_hex(16)
        self.files: dict[int, int] = {}
        self._streams: dict[int, _Stream] = {}
        if program.driver:
            # The trailer with the nonce comes on top of what the problem allows.
            self._streams[RESULTS_FD] = _Stream(most + 64)
        if program.reports is not None:
            self._streams[REPORTS_FD] = _Stream(_REPORT)
        self.files.update({number: stream.write for number, stream in self._streams.items()})
        if program.driver or program.reports == "sanitizer":
            nonce, write = os.pipe()
            os.write(write, f"{self.nonce}\n".encode())
            os.close(write)
            self.files[NONCE_FD] = nonce
        self._reader: threading.Thread | None = None
        if self._streams:
            self._end_read, self._end_write = os.pipe()
            self._reader = threading.Thread(target=self._collect, name="judge-channels", daemon=True)
            self._reader.start()

    def _collect(self) -> None:
        poll = select.poll()
        poll.register(self._end_read, select.POLLIN)
        streams = {stream.read: stream for stream in self._streams.values()}
        for number in streams:
            poll.register(number, select.POLLIN)
        while True:
            for number, _ in poll.poll():
                if number == self._end_read:
                    return
                if not streams[number].drain():
                    poll.unregister(number)

    def close(self) -> None:
        """After the run: read the rest and close everything."""
        for descriptor in self.files.values():
            os.close(descriptor)
        self.files = {}
        if self._reader is not None:
            os.write(self._end_write, b"x")
            self._reader.join()
            self._reader = None
            os.close(self._end_read)
            os.close(self._end_write)
            for stream in self._streams.values():
                # Not up to the end of file: processes that the program left behind may take a moment to disappear.
                stream.drain()
                os.close(stream.read)

    def report(self) -> bytes:
        stream = self._streams.get(REPORTS_FD)
        return bytes(stream.data) if stream is not None else b""

    def overflowed(self) -> bool:
        stream = self._streams.get(RESULTS_FD)
        return stream is not None and stream.received > stream.most

    def result(self) -> bytes | None:
        """The driver's result; None: the driver did not finish, or something was written after it."""
        stream = self._streams.get(RESULTS_FD)
        if stream is None:
            return None
        trailer = f"\n{self.nonce}\n".encode()
        data = bytes(stream.data)
        return data[: -len(trailer)] if data.endswith(trailer) else None


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
    channels = Channels(program, bound.output)
    try:
        run = program.run(
            job.case.args,
            run_limits(bound),
            files=dict(channels.files),
            fresh=job.fresh,
            whole_disk=not job.fresh,
            # No sanitizer would see the leaks of a child process that is killed before it is checked.
            forks=job.sanitizer is None,
        )
        checked: CheckerDecision | None = None
        if job.tools.interactor is not None:
            measured, end, checked, details = interact(job, run, bound, cell, slot_tools)
        else:
            with ExitStack() as opened:
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
    finally:
        channels.close()
    if measured.failed is not None and not program.argv[0].startswith(_INSIDE):
        raise ToolError(f"{program.argv[0]} could not be started: {measured.failed}")
    # Verdict by how it ended: measurements, then what a sanitizer saw.
    # What only a driver or a virtual machine can show about it.
    marker = program.memory_marker.encode()
    if channels.overflowed() and end.verdict != "output_limit_exceeded":
        end = Ending("output_limit_exceeded", "the driver's result is too long")
    elif end.verdict == "runtime_error" and marker and marker in measured.stderr:
        # A virtual machine has its own memory limit, just below the judge's, and ends with an exit code.
        end = Ending("memory_limit_exceeded", "the language's run-time ran out of memory")
    retry = end.verdict is not None and worth_retrying(measured, bound)
    unchecked = False
    if job.sanitizer is not None and end.verdict in (None, "runtime_error"):
        verdict, message, state = read_report(channels.report(), channels.nonce, job.sanitizer)
        if state == "failed":
            raise ToolError(f"{job.case.id}: {message} on it: {decoded(channels.report(), 400)}")
        if verdict is not None:
            end, details = Ending(verdict, message), decoded(channels.report(), 8000)
        unchecked = state == "unchecked" and end.verdict is None
    # Check: its output, unless the interactor has decided.
    if end.verdict is None and checked is None:
        output = channels.result() if program.driver else measured.stdout
        if output is None:
            end = Ending("runtime_error", "the program ended before the driver did")
        else:
            checked = check(job, output, slot_tools)
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
