"""How far a run is. Described in docs/checkpoints.md."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import GaugeError
from .pipeline import Pipeline
from .report import Count, Report

VERSION = 1


@dataclass
class Position:
    """``read``, ``written``: bytes of the input and of the output."""

    read: int = 0
    written: int = 0
    report: Report = field(default_factory=Report)


def save(path: Path, pipeline: Pipeline, position: Position) -> None:
    """Replace the checkpoint in one step, so that there is always a whole one."""
    states = {stage.name: state for stage in pipeline.stages if (state := stage.state()) is not None}
    document = {
        "version": VERSION,
        "pipeline": pipeline.fingerprint(),
        "read": position.read,
        "lines": position.report.lines,
        "written": position.written,
        "counts": {name: [count.seen, count.passed] for name, count in position.report.stages.items()},
        "states": states,
    }
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(document), encoding="utf-8")
    os.replace(beside, path)


def restore(path: Path, pipeline: Pipeline) -> Position | None:
    """Where to go on, with the stages as they were then; None if there is no checkpoint.

    Raises:
        GaugeError: the checkpoint cannot be used.
    """
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise GaugeError(f"{path}: no checkpoint") from None
    if document.get("version") != VERSION:
        raise GaugeError(f"{path}: a checkpoint of version {document.get('version')}; begin again without --resume")
    if document["pipeline"] != pipeline.fingerprint():
        raise GaugeError(f"{path}: made for another pipeline; begin again without --resume")
    for stage in pipeline.stages:
        if stage.name in document["states"]:
            stage.restore(document["states"][stage.name])
    counts = {name: Count(*numbers) for name, numbers in document["counts"].items()}
    return Position(document["read"], document["written"], Report(counts, document["lines"]))
