"""Files of an experiment as other versions may have written them.

Of manifests, scores and reviews only what the tables have, with as many optional members as possible, and checked on
reading: a file with a share outside [0, 1] or a negative count is damaged. Results are read as
:class:`~rigorbench.bench.experiment.model.RunResult`.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from ..model import Cell, Subject

# Larger files are not read; a result has a few kilobytes.
LARGEST = 64 << 20
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
Grade = Annotated[int, Meta(ge=0, le=100)]
Amount = Annotated[float, Meta(ge=0, le=1e15)]

T = TypeVar("T")


class Unreadable(ValueError):
    """A file cannot be used. The message does not name it."""


class BudgetFile(Struct):
    seconds: Amount | None = None
    tokens: Count | None = None
    metering: str | None = None
    context: Count | None = None
    hints: Count = 0


class ManifestFile(Struct):
    schema: str
    id: str
    suite: str
    cells: list[Cell]
    created: float | None = None
    budget: BudgetFile = field(default_factory=BudgetFile)
    sandbox: str | None = None
    tasks: dict[str, Subject] = field(default_factory=dict)
    agents: dict[str, Subject] = field(default_factory=dict)
    harnesses: dict[str, Subject] = field(default_factory=dict)
    models: dict[str, Subject] = field(default_factory=dict)
    scripted: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    suite_facts: dict[str, Any] = field(default_factory=dict)


class SubMetricFile(Struct):
    value: Share | None = None
    status: str = "unscorable"
    method: str | None = None
    n: Count | None = None
    evidence: list[str] = field(default_factory=list)
    reason: str | None = None
    readers: list[str] = field(default_factory=list)


class PillarFile(Struct):
    value: Share | None = None
    status: str = "unscorable"
    evidence_share: Share | None = None
    submetrics: dict[str, SubMetricFile] = field(default_factory=dict)


class HeaderFile(Struct):
    complete: bool | None = None


class ScoreFile(Struct):
    schema: str
    trajectory: HeaderFile = field(default_factory=HeaderFile)
    rigor_score: Share | None = None
    evidence_share: Share | None = None
    pillars: dict[str, PillarFile] = field(default_factory=dict)
    extended: dict[str, SubMetricFile] = field(default_factory=dict)


class CheckFile(Struct):
    id: str
    severity: str


class GradeFile(Struct):
    value: Grade | None = None


class ReadingPart(Struct):
    reader: str


class ReviewPart(Struct):
    overall: Grade | None = None
    size: str | None = None
    grades: dict[str, GradeFile] = field(default_factory=dict)
    checks: list[CheckFile] = field(default_factory=list)
    reading: ReadingPart | None = None


class ReviewFile(Struct):
    schema: str
    review: ReviewPart


def read_file(path: Path) -> bytes | None:
    """The content of a regular file; None if there is none.

    Raises:
        Unreadable: it is not a regular file, is too large, or may not be read.
    """
    try:
        # Not blocking, because opening a pipe could wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or "its name is not a file name") from None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("not a file")
        if facts.st_size > LARGEST:
            raise Unreadable(f"{facts.st_size >> 20} MiB: too large for a file of this name")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(LARGEST)
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read") from None
    finally:
        os.close(descriptor)


def decode(data: bytes, kind: type[T], schema: str) -> T:
    """Raises: Unreadable if the content is invalid, or has a schema that this version does not read."""
    try:
        found = msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"damaged ({' '.join(str(error).split())[:140]})") from None
    named = getattr(found, "schema", schema)
    if named != schema:
        raise Unreadable(f"schema {named[:60]!r}, this version reads {schema!r}")
    return found


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
