"""Files of an experiment as other versions may have written them, with as many optional members as possible.

Values are checked on reading: a file with a share outside [0, 1] or a negative count is damaged.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from ..model import Cell

# Larger files are not read; a result has a few kilobytes.
LARGEST = 64 << 20
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]
Grade = Annotated[int, Meta(ge=0, le=100)]
Amount = Annotated[float, Meta(ge=0, le=1e15)]

T = TypeVar("T")


class Unreadable(ValueError):
    """A file cannot be used. The message does not name it."""


class SubjectFile(Struct):
    version: str | None = None
    digest: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)


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
    tasks: dict[str, SubjectFile] = field(default_factory=dict)
    agents: dict[str, SubjectFile] = field(default_factory=dict)
    harnesses: dict[str, SubjectFile] = field(default_factory=dict)
    models: dict[str, SubjectFile] = field(default_factory=dict)
    scripted: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    suite_facts: dict[str, Any] = field(default_factory=dict)


class TestFile(Struct):
    __test__ = False

    id: str
    outcome: str
    at_start: bool | None = None


class OutcomeFile(Struct):
    pass_rate: Share | None = None
    completeness: Share | None = None
    regressions: list[str] | None = None
    solved: bool | None = None
    tests: list[TestFile] = field(default_factory=list)
    final_tree: str | None = None
    reason: str | None = None
    tampering: list[str] = field(default_factory=list)
    score: Share | None = None
    fail_to_pass: Share | None = None
    features: Share | None = None
    kept: Share | None = None


class SubmissionFile(Struct):
    number: Count
    time: float | None = None
    turn: Count | None = None
    verdict: str | None = None
    score: Amount | None = None
    full: Amount | None = None
    counted: bool = True
    revision: str | None = None
    local: str | None = None

    @property
    def points(self) -> float | None:
        """Out of 100."""
        return None if self.score is None or not self.full else 100 * min(1.0, self.score / self.full)


class FailureFile(Struct):
    kind: str
    submission: Count | None = None
    evidence: str = ""


class CodeSizeFile(Struct):
    files: Count | None = None
    lines: Count | None = None
    complexity: Amount | None = None


class HintFile(Struct):
    number: Count
    source: str = ""
    group: str | None = None
    question: str | None = None
    text: str | None = None
    time: float | None = None
    turn: Count | None = None
    before: Amount | None = None
    after: Amount | None = None


class ProjectFile(Struct):
    execution: Amount | None = None
    review: Amount | None = None
    final: Amount | None = None
    best: Count | None = None
    submissions: list[SubmissionFile] = field(default_factory=list)
    unsubmitted: bool | None = None
    failures: list[FailureFile] = field(default_factory=list)
    size: CodeSizeFile | None = None
    hints: list[HintFile] = field(default_factory=list)


class ManipulationFile(Struct):
    loaded: bool | None = None


class BreachFile(Struct):
    kind: str


class ResultFile(Struct):
    schema: str
    cell: Cell
    status: str
    started: float | None = None
    seconds: Amount | None = None
    working: Amount | None = None
    scripted: bool = False
    limit: str | None = None
    error: str | None = None
    tokens: dict[str, Count | None] | None = None
    metered: Count | None = None
    model_calls: Count | None = None
    cost: Amount | None = None
    rigor_score: Share | None = None
    evidence_share: Share | None = None
    pillars: dict[str, Share | None] = field(default_factory=dict)
    pillar_status: dict[str, str] = field(default_factory=dict)
    outcome: OutcomeFile | None = None
    project: ProjectFile | None = None
    manipulation: ManipulationFile | None = None
    breaches: list[BreachFile] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)


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
