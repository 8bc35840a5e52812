"""One run of a test point: the program, then the decision about its output."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

from msgspec import Struct, structs

from ...sandbox.cell.spec import CellError, CellSpec
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.trees import remove
from ..build.program import Built, BuiltProgram
from ..files import copy_readable
from ..judgement import PointResult, ProgramUsage
from ..problems.problem import Case, PointGroup, Problem
from .cells import ReusableCell, SlotTools, Workspace
from .channels import Channels, read_report
from .checking import Job, ToolError, check, checker_limits, decide, decision
from .interacting import interact
from .scoring import clamp
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
    if job.problem.passes == 1:
        return _pass(job, program, cell, slot_tools, None)[0]
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


def validate_files(
    problem: Problem,
    group: PointGroup,
    program: BuiltProgram,
    root: Path,
    language: str,
    slot: int,
    workspace: Workspace,
    *,
    trust: bool,
) -> PointResult:
    """The result of a group's static test point.

    The validator runs in a copy of the submission; its arguments are the language, the name of the only file (empty if
    there are several), the feedback directory and the group's arguments. It ends like a checker.

    Raises: CellError, ToolError: the sandbox, or the validator, failed.
    """
    files = workspace.directory("files")
    try:
        copy_readable(root, files)
        names = [path.name for path in files.rglob("*") if path.is_file()]
        entry = names[0] if len(names) == 1 else ""
        limits = checker_limits(problem.limits)
        spec = CellSpec(slot=slot, role="checker", mounts=(*program.mounts, Mount(str(files), "/submission")))
        arguments = (language, entry, "/w/", *(group.static_args or ()))
        run = program.run(arguments, limits, cwd="/submission", fresh=False)
        with closing(ReusableCell(spec, workspace, trust)) as cell:
            measured = cell.run(run)
            checked = decision(measured, "static validator", "kattis", cell.work, limits)
    finally:
        remove(files)
    share = 1.0 if checked.share is None else clamp(checked.share, 1.0)
    if checked.points is not None and group.static_full > 0:
        share = clamp(checked.points / group.static_full, 1.0)
    score, message = share if checked.verdict == "accepted" else 0.0, checked.message
    name, used = f"{group.id}/static", usage(measured)
    return PointResult(name, checked.verdict, score, message, checked.details, message, used)
