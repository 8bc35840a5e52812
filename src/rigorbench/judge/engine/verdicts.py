"""The verdict of how a run ended. It depends on measurements only, never on what the program printed.

The time limit is one of CPU time. The wall clock only guards against programs that wait; it stands still while others
have the processor of a run that is ready.
"""

from __future__ import annotations

import signal

from msgspec import Struct, structs

from ...base.sanitize import block
from ...sandbox.cell.spec import CellLimits as RunLimits
from ...sandbox.cell.spec import Measured
from ..build.program import BuiltProgram
from ..judgement import ProgramUsage
from ..problems.problem import PointLimits, Problem
from ..problems.verdicts import Verdict

# A run that exceeds the time limit by up to this share is repeated; it gets that much more time, to show it.
NEAR = 0.1
# Share of the wall clock: a conversation in which less CPU is used is idle, however loaded the machine is.
IDLE_SHARE = 0.05
# A program that used less CPU than this share of the time that it had waits, and does not wait twice.
_BUSY_SHARE = 0.5
# A run is idle if it could have worked for so much of the wall clock limit: both are measured, not exact.
_FREE_SHARE = 0.95


class Ending(Struct, frozen=True):
    """How a program ended. Without a verdict it ended well, and a checker decides."""

    verdict: Verdict | None
    message: str = ""


class CheckerDecision(Struct, frozen=True):
    """The decision of a checker or interactor. Without `share` and `points` it is all or nothing."""

    verdict: Verdict
    message: str = ""
    """For the author of the submission."""
    details: str = ""
    share: float | None = None
    """Score in [0, 1] (``score_multiplier.txt``)."""
    points: float | None = None
    """An absolute number (``score.txt``, testlib's points), which a metric or the group's points turn into a score."""
    next_input: bytes | None = None
    """Of another pass, in a multi-pass problem."""


def bounds(problem: Problem, program: BuiltProgram) -> PointLimits:
    """The problem's limits for the program's language."""
    limits = problem.limits
    return structs.replace(
        limits,
        time=limits.time * program.time,
        memory=int(limits.memory * program.memory) + program.startup_memory,
        processes=limits.processes + program.processes,
    )


def wall_limit(bound: PointLimits) -> float:
    return max(3 * bound.time, bound.time + 2)


def run_limits(bound: PointLimits) -> RunLimits:
    same = {name: getattr(bound, name) for name in ("memory", "processes", "output", "disk", "files")}
    return RunLimits(cpu=bound.time * (1 + NEAR), wall=wall_limit(bound), **same)


def ending(run: Measured, bound: PointLimits) -> Ending:
    """The verdict of a run before any checker, in the order of :data:`rigorbench.judge.problems.verdicts.VERDICTS`."""
    if run.killed == "output" or run.output > bound.output:
        return Ending("output_limit_exceeded", f"more than {size(bound.output)} of output")
    if run.killed == "disk" or run.disk > bound.disk or run.signal == signal.SIGXFSZ:
        return Ending("disk_limit_exceeded", f"more than {size(bound.disk)} on disk")
    if run.killed == "files" or run.files > bound.files:
        return Ending("disk_limit_exceeded", f"more than {bound.files} files")
    if run.oom or (run.memory is not None and run.memory > bound.memory):
        return Ending("memory_limit_exceeded", f"more than {size(bound.memory)} of memory")
    if run.killed == "cpu" or run.cpu > bound.time:
        return Ending("time_limit_exceeded", f"more than {seconds(bound.time)} of CPU time")
    if run.killed == "wall":
        return Ending("idleness_limit_exceeded", f"no end after {seconds(run.wall)}; {seconds(run.cpu)} of CPU used")
    if run.failed is not None:
        return Ending("runtime_error", "the program could not be started")
    if run.signal is not None:
        return Ending("runtime_error", f"killed by {signal_name(run.signal)}")
    if run.exit_code != 0:
        return Ending("runtime_error", f"exit code {run.exit_code}")
    return Ending(None)


def was_starved(run: Measured, limits: RunLimits) -> bool:
    """Whether the wall clock ended a run that was ready to run for so long that it cannot be called idle."""
    return run.killed == "wall" and limits.wall is not None and run.wall - run.starved < _FREE_SHARE * limits.wall


def worth_retrying(run: Measured, bound: PointLimits) -> bool:
    """Whether a run is repeated once, alone: just above the limit the precision of measuring matters."""
    near = run.killed != "cpu" and run.cpu <= bound.time * (1 + NEAR)
    busy = run.cpu >= _BUSY_SHARE * (run.wall - run.starved)
    return near and busy and ending(run, bound).verdict == "time_limit_exceeded"


def usage(run: Measured) -> ProgramUsage:
    same = ("cpu", "wall", "memory", "disk", "files", "output")
    memory_by = run.memory_by if run.memory is not None else None
    return ProgramUsage(**{name: getattr(run, name) for name in same}, memory_by=memory_by)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def size(count: int) -> str:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"


def seconds(value: float) -> str:
    return f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def decoded(data: bytes | None, most: int) -> str:
    """At most `most` characters of a program's output; lines stay lines."""
    if not data:
        return ""
    # No character takes more than four bytes: the rest is not even decoded.
    text = block(data[: 4 * most].decode(errors="replace")).strip()
    return text if len(text) <= most and len(data) <= 4 * most else text[: most - 1] + "…"


def tail(data: bytes | None, most: int = 300) -> str:
    """The end of a program's output as one line that continues a sentence: ``: ...``; empty without output."""
    text = " ".join(block((data or b"")[-4 * most :].decode(errors="replace")).split())
    return f": {text[-most:]}" if text else ""
