"""The input and output of judging: a submission, and its judgement (JSON, ``rigor-judgement/1``).

Units are seconds and bytes; unknown is ``None``. The verdict of a group or a submission is the worst verdict of its
test points, in the order of precedence of :data:`rigorbench.judge.problems.verdicts.VERDICTS`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, field

from .problems.verdicts import Verdict

JUDGEMENT_SCHEMA: Final = "rigor-judgement/1"


class Submission(Struct, frozen=True):
    """The files of one submission, unpacked and checked."""

    root: Path
    """It contains regular files and directories only: a link to a file of the submission has become a copy."""
    language: str
    """A name of the language table, or "cmake", "make", "header" or "auto"."""
    digest: str
    kind: Literal["file", "tree", "revision"] = "tree"
    revision: str | None = None
    history: Path | None = None
    """A new bare git repository with the submitted history, for the code review."""
    notes: tuple[str, ...] = ()
    """What was left out, one line each."""


class SubmissionError(ValueError):
    """The submission is refused: too large, a bad archive, an unknown revision. One line for its author."""


class ProgramUsage(Struct, frozen=True):
    """What a program used."""

    cpu: float | None = None
    """Of all its processes."""
    wall: float | None = None
    memory: int | None = None
    """Peak."""
    disk: int | None = None
    """Bytes that it added and left."""
    files: int | None = None
    output: int | None = None
    memory_by: Literal["cgroup", "rlimit"] | None = None
    """"cgroup": exact, of all processes together; "rlimit": peak of the largest process, where there is no control
    group."""


class PointResult(Struct):
    """The result of one test point."""

    id: str
    verdict: Verdict
    score: float | None
    """In [0, 1]; None after a judge error."""
    message: str = ""
    """How the program ended, and the checker's text for the author; it contains no test data beyond what the package's
    feedback allows."""
    details: str = ""
    told: str = ""
    """The part of the message that the package has for the author: its checker's team message, a case's hint. It is
    shown even where nothing is that the program itself could choose."""
    usage: ProgramUsage = ProgramUsage()
    exit_code: int | None = None
    signal: str | None = None
    """Such as "SIGSEGV"."""
    metric: float | None = None
    """The raw value of a continuous score."""
    twin: str | None = None
    """Id of the point that this one repeats under a sanitizer."""
    runs: int = 1
    """How often it was run (2: it was repeated, alone)."""


class GroupResult(Struct):
    """The result of a group: `score` of `full` points; None after a judge error."""

    id: str
    verdict: Verdict
    score: float | None
    full: float
    points: list[PointResult] = field(default_factory=list)
    message: str = ""


class Compilation(Struct):
    """The compilation of a submission; `cached`: it is that of an earlier one with the same content."""

    ok: bool
    log: str = ""
    usage: ProgramUsage = ProgramUsage()
    cached: bool = False
    digest: str | None = None


class Judgement(Struct):
    """The result of one submission. `package` and `submission` are SHA-256 digests."""

    problem: str
    package: str
    submission: str
    language: str
    verdict: Verdict
    score: float | None
    """Points of `full`; None when the judge itself failed somewhere."""
    full: float
    groups: list[GroupResult] = field(default_factory=list)
    compilation: Compilation | None = None
    judge: str = ""
    sandbox: str = ""
    machine: dict[str, str] = field(default_factory=dict)
    """What times depend on: processor, kernel, compilers."""
    notes: list[str] = field(default_factory=list)
    started: float = 0.0
    seconds: float = 0.0
    source: str | None = None
    """The submission as it was named to ``rigor judge``."""
    schema: str = JUDGEMENT_SCHEMA


class JudgeError(Exception):
    """Judging failed because of the package, the machine or the judge, not because of the submission. One line."""


class ToolMissing(JudgeError):
    """A compiler or interpreter is not installed here, which says nothing about the package or the submission."""
