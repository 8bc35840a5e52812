"""One test point, run once: the program, then who decides on its output."""

from __future__ import annotations

import os
from pathlib import Path

from ...problems.model import Case
from ...sandbox.cell.spec import Measured, Run
from ..build.model import Built, Program
from ..model import Usage
from . import reports
from .cells import OwnCell, Station
from .channels import Channels
from .checking import Broken, Checked
from .deciding import check, decide
from .interacting import interact
from .job import Job, Trial
from .text import words
from .verdicts import Ending, again, bounds, ending, run_limits, signal_name, usage

_INSIDE = "/code"


def program_of(built: Built, case: Case) -> Program:
    """Raises: Broken: the package names a driver that it does not have."""
    program = built.programs.get(case.driver or "")
    if program is None:
        raise Broken(f"{case.id}: there is no driver {case.driver!r}; the package has: {', '.join(built.programs)}")
    return program


def run_trial(job: Job, program: Program, cell: OwnCell, station: Station) -> Trial:
    """Raises: CellError, Broken."""
    bound = bounds(job.problem, program)
    if job.case.files is not None:
        cell.put(job.case.files)
    channels = Channels(program, bound.output)
    try:
        run = Run(
            argv=(*program.argv, *job.case.args),
            limits=run_limits(bound, job.stretch),
            env=dict(program.env),
            files=dict(channels.files),
            fresh=job.fresh,
            whole_disk=not job.fresh,
            address_space=program.address_space,
            # A child that does the work, and is ended before anybody looks, would hide what it leaks.
            forks=job.sanitizer is None,
        )
        checked: Checked | None = None
        if job.tools.interactor is not None:
            measured, end, checked, details = interact(job, run, bound, cell, station)
        else:
            measured = _run(run, job.case, cell)
            end, details = ending(measured, bound), ""
    finally:
        channels.close()
    if measured.failed is not None and not program.argv[0].startswith(_INSIDE):
        raise Broken(f"{program.argv[0]} could not be started: {measured.failed}")
    end = _refine(end, measured, program, channels)
    retry = again(measured, bound) if job.stretch == 1.0 and end.verdict is not None else None
    unchecked = False
    if job.sanitizer is not None and end.verdict in (None, "runtime_error"):
        report = reports.read(channels.report(), channels.nonce, job.sanitizer)
        if report.state == "failed":
            raise Broken(f"{job.case.id}: {report.message} on it: {words(channels.report(), 400)}")
        if report.verdict is not None:
            end, details = Ending(report.verdict, report.message), words(channels.report(), 8000)
        unchecked = report.state == "unchecked" and end.verdict is None
    if end.verdict is None and checked is None:
        output = channels.result() if program.driver else measured.stdout
        if output is None:
            end = Ending("runtime_error", "the program ended before the driver did")
        else:
            checked = check(job, output, station)
    trial = Trial("accepted", 1.0, usage=usage(measured), exit_code=measured.exit_code)
    if measured.signal is not None:
        trial.signal = signal_name(measured.signal)
    trial.retry, trial.unchecked = retry, unchecked
    trial.details = details
    if end.verdict is not None:
        trial.verdict, trial.score, trial.message = end.verdict, 0.0, end.message
        # Standard error may quote the input; it is for the judge's owner.
        trial.details = details or words(measured.stderr, 2000)
    elif checked is not None:
        decide(trial, checked, job)
    return trial


def output_only(job: Job, root: Path, station: Station) -> Trial:
    """A test point whose output is a file of the submission's. Raises: Broken, CellError."""
    name = job.problem.build.artefact.replace("{case}", job.case.id.rsplit("/", 1)[-1])
    path = root / name
    trial = Trial("accepted", 1.0)
    try:
        size = path.stat().st_size
        output = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        size, output = 0, None
    if output is None:
        trial.verdict, trial.score, trial.message = "wrong_answer", 0.0, f"there is no file {name}"
    elif size > job.problem.limits.output:
        trial.verdict, trial.score, trial.message = "output_limit_exceeded", 0.0, f"{name} is too large"
    else:
        trial.usage = Usage(output=size)
        decide(trial, check(job, output, station), job)
    return trial


def _run(run: Run, case: Case, cell: OwnCell) -> Measured:
    try:
        descriptor = os.open(case.input, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise Broken(f"{case.input}: {error.strerror}") from None
    try:
        run.stdin = descriptor
        return cell.run(run)
    finally:
        os.close(descriptor)


def _refine(end: Ending, run: Measured, program: Program, channels: Channels) -> Ending:
    """What only this kind of program can tell more about its end."""
    if channels.flooded() and end.verdict != "output_limit_exceeded":
        return Ending("output_limit_exceeded", "the driver's result is too long")
    if end.verdict == "runtime_error" and program.memory_marker and program.memory_marker.encode() in run.stderr:
        # Virtual machines have a memory limit of their own, just below ours, and end with an exit code.
        return Ending("memory_limit_exceeded", "the language's run-time found no more memory")
    return end
