"""Takes readings through a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from . import checkpoint
from .checkpoint import Position
from .errors import GaugeError, Reject
from .pipeline import PARSE, Pipeline
from .report import Count, Report
from .schema import Reading, format_line, parse_line


@dataclass
class Job:
    """What to run. ``limit``: how many lines to read now, at most; ``every``: lines between two checkpoints."""

    source: Path
    target: Path
    pipeline: Pipeline
    checkpoint: Path | None = None
    resume: bool = False
    limit: int | None = None
    every: int = 1000


def run(job: Job) -> Report:
    """Run it, and report on the whole run: what was done before it was resumed, too.

    Raises:
        GaugeError: a file or the checkpoint cannot be used.
    """
    if job.resume and job.checkpoint is None:
        raise GaugeError("--resume needs --checkpoint")
    position = checkpoint.restore(job.checkpoint, job.pipeline) if job.resume and job.checkpoint else None
    try:
        with job.source.open("rb") as source, _target(job.target, position) as target:
            if position is None:
                position = Position(report=Report({name: Count() for name in job.pipeline.names}))
            source.seek(position.read)
            _lines(job, position, source, target)
    except OSError as error:
        raise GaugeError(f"{error.filename or job.source}: {error.strerror}") from None
    if position.report.finished and job.checkpoint is not None:
        job.checkpoint.unlink(missing_ok=True)
    return position.report


def _target(path: Path, position: Position | None) -> BinaryIO:
    """The output, cut off where the checkpoint was made."""
    if position is None:
        return path.open("wb")
    if not path.is_file() or path.stat().st_size < position.written:
        raise GaugeError(f"{path}: shorter than it was at the checkpoint; begin again without --resume")
    target = path.open("r+b")
    target.truncate(position.written)
    target.seek(position.written)
    return target


def _lines(job: Job, position: Position, source: BinaryIO, target: BinaryIO) -> None:
    report, now = position.report, 0
    for line in source:
        if job.limit is not None and now == job.limit:
            break
        now += 1
        report.lines += 1
        position.read += len(line)
        if line.strip():
            reading = _through(job.pipeline, report, line)
            if reading is not None:
                position.written += target.write(format_line(reading))
        if report.lines % job.every == 0:
            _keep(job, position, target)
    else:
        report.finished = True
        return
    _keep(job, position, target)


def _through(pipeline: Pipeline, report: Report, line: bytes) -> Reading | None:
    """The reading as it leaves the last stage, or None if it was rejected on the way."""
    name = PARSE
    try:
        report.stages[name].seen += 1
        reading = parse_line(line)
        report.stages[name].passed += 1
        for stage in pipeline.stages:
            name = stage.name
            report.stages[name].seen += 1
            reading = stage.apply(reading)
            report.stages[name].passed += 1
    except Reject:
        return None
    return reading


def _keep(job: Job, position: Position, target: BinaryIO) -> None:
    """Write a checkpoint; what it counts as written must be in the file by then."""
    target.flush()
    if job.checkpoint is not None:
        checkpoint.save(job.checkpoint, job.pipeline, position)
