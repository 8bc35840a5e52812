"""The verdict of how a run ended, and points from test points to a submission.

A verdict depends on measurements only, never on what the program printed.

The time limit is one of CPU time. The wall clock only guards against programs that wait; it stands still while others
have the processor of a run that is ready.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Sequence

from msgspec import Struct, structs

from ...base.sanitize import block
from ...sandbox.cell.spec import CellLimits as RunLimits
from ...sandbox.cell.spec import Measured
from ..build.program import BuiltProgram
from ..judgement import GroupResult, PointResult, ProgramUsage
from ..problems.problem import Metric, PointGroup, PointLimits, Problem
from ..problems.verdicts import Verdict, worst

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


def metric_score(metric: Metric, value: float) -> float:
    """The score in [0, 1] of a finite value: linear between the baselines, constant beyond them."""
    points = sorted(metric.baselines)
    above = next((at for at, point in enumerate(points) if point[0] >= value), len(points))
    if above == len(points) or above == 0 or points[above][0] == value:
        return clamp(points[min(above, len(points) - 1)][1], 1.0)
    (low, low_score), (high, high_score) = points[above - 1], points[above]
    # Halved, because the distance of two finite values may be infinite.
    share = (value / 2 - low / 2) / (high / 2 - low / 2)
    return clamp(low_score + (high_score - low_score) * share, 1.0)


def stop_at_first_failure(points: Sequence[PointResult]) -> list[PointResult]:
    """The points of a group that its first failure ends: all later ones are skipped.

    Some of them may have run at the same time; they are skipped all the same, so that a verdict does not depend on the
    number of slots.
    """
    shown: list[PointResult] = []
    failed: PointResult | None = None
    for point in points:
        if failed is None:
            shown.append(point)
            if ends_group(point):
                failed = point
        else:
            shown.append(point if point.verdict == "skipped" else skipped(point.id, twin=point.twin))
    return shown


def ends_group(point: PointResult) -> bool:
    """Whether a "min" group cannot gain anything after this point."""
    return point.verdict != "accepted" and not point.score


def skipped(name: str, message: str = "", *, twin: str | None = None) -> PointResult:
    return PointResult(id=name, verdict="skipped", score=0.0, message=message, twin=twin)


def group_result(
    group: PointGroup, points: list[PointResult], message: str = "", static: PointResult | None = None
) -> GroupResult:
    """The result of a group: the minimum or mean of the points' scores times ``full``, clamped to [0, full].

    The score is None when a point has none (the judge failed there), and 0 without any points.

    `static`: result of the static validator, which gives ``static_full`` of the group's points. If these are 0 and it
    rejects, the group scores 0.
    """
    shown = [*points, static] if static is not None else points
    score: float | None = 0.0
    if any(point.score is None for point in shown):
        score = None
    elif shown:
        own = group.static_full if static is not None else 0.0
        of_points = [point.score or 0.0 for point in points] or [1.0]
        mean = math.fsum(of_points) / len(of_points)
        score = (min(of_points) if group.aggregation == "min" else mean) * (group.full - own)
        if static is not None:
            score = score + (static.score or 0.0) * own if own or static.score else 0.0
    score = None if score is None else clamp(score, group.full)
    return GroupResult(group.id, worst([point.verdict for point in shown]), score, group.full, shown, message)


def total(groups: Sequence[GroupResult]) -> tuple[Verdict, float | None, float]:
    """Verdict, score and full score of a submission; the score is None when a group's is."""
    full = math.fsum(group.full for group in groups)
    scores = [group.score for group in groups]
    known = [score for score in scores if score is not None]
    score = clamp(math.fsum(known), full) if len(known) == len(scores) else None
    return worst([group.verdict for group in groups]), score, full


def share(points: float, group: PointGroup) -> float:
    """The score in [0, 1] of a test point to which a checker gave `points`, of the points that the group has for it."""
    full = group.full if group.aggregation == "min" else group.full / max(len(group.cases), 1)
    return clamp(points / full, 1.0) if full > 0 else 1.0


def clamp(value: float, most: float) -> float:
    """`value`, but at least 0 and at most `most`."""
    return min(max(value, 0.0), most)
