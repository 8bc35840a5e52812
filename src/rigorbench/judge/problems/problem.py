"""A problem as the judge uses it, independent of the layout it was read from.

Paths are absolute; times are seconds and sizes bytes. Some classes are also what is read from ``problem.yaml``: their
fields, or the names in ``rename``, are its keys.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from ...base.cache import cache_directory
from ...base.errors import GivenError

Compare = Literal["token", "line", "exact", "float", "binary"]
Feedback = Literal["none", "verdict", "tests", "first-failure"]
Sanitizer = Literal["leak", "address", "uninitialised"]
# The largest number: exact in a float. Bytes may be more.
GREATEST = 1 << 42
Number = Annotated[float, Meta(ge=0, le=GREATEST)]
_Value = Annotated[float, Meta(ge=-GREATEST, le=GREATEST)]
Positive = Annotated[float, Meta(gt=0, le=GREATEST)]
Whole = Annotated[int, Meta(ge=0, le=1 << 62)]
Natural = Annotated[int, Meta(ge=1, le=1 << 62)]


class PackageError(GivenError):
    """The package cannot be used. One line with the file, the key or line, and the remedy."""


class PointLimits(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"time": "time_limit", "compile_time": "compilation_time", "compile_memory": "compilation_memory"},
):
    """Limits of a test point in the reference language, C++; other languages get multiples (see the language table).

    Times are CPU seconds, sizes bytes: `memory` of all processes together, `output` of standard output, `disk` and
    `files` what a program may leave in its directory, `code` of a submission, `validation_...` of checkers, interactors
    and validators. `submissions`: how many one run may make (the budget); None: any number.
    """

    time: Positive = 1.0
    memory: Natural = 256 << 20
    output: Natural = 64 << 20
    disk: Whole = 64 << 20
    files: Whole = 1024
    code: Natural = 1 << 20
    compile_time: Positive = 60.0
    compile_memory: Natural = 2 << 30
    validation_time: Positive = 60.0
    validation_memory: Natural = 2 << 30
    processes: Natural = 64
    submissions: Natural | None = None


class TimeRule(Struct, frozen=True):
    """How a time limit follows from the slowest accepted submission.

    It is `factor` times what that takes, rounded up to a multiple of `resolution`.
    """

    factor: float = 2.0
    resolution: float = 1.0


class Checker(Struct, frozen=True):
    """How outputs are judged. Without `compare` and `program` the interactor decides."""

    compare: Compare | None = "token"
    """A built-in comparison."""
    options: tuple[str, ...] = ()
    """Of the comparison ("case_sensitive", "float_tolerance", "1e-6", ...), or arguments of the program."""
    program: Path | None = None
    """Source file or directory of the checker."""
    contract: Literal["kattis", "testlib"] = "kattis"
    """How the program, and the interactor, is called, and how it reports its decision."""


class Case(Struct, frozen=True):
    """A test point."""

    id: str
    """Its path below ``data`` without suffix, such as "secret/basic/01"."""
    input: Path
    answer: Path | None = None
    args: tuple[str, ...] = ()
    checker_args: tuple[str, ...] = ()
    """Arguments of the checker, or further options of a built-in comparison."""
    driver: str | None = None
    hint: str | None = None
    """Text for the author of a submission that fails here."""
    files: Path | None = None
    """Directory whose files are put into the working directory before the run."""
    validator_args: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By the validator's name; "": of all others."""


class PointGroup(Struct, frozen=True):
    """A group of test points."""

    id: str
    cases: tuple[Case, ...] = ()
    full: float = 0.0
    aggregation: Literal["min", "sum"] = "min"
    """Its score is `full` times the minimum ("min") or the mean ("sum") of its cases' scores in [0, 1]."""
    requires: tuple[str, ...] = ()
    """Groups that must be accepted; otherwise this one is skipped."""
    twin_of: str | None = None
    """The group whose cases this one repeats under `sanitizers`, in the same order."""
    sanitizers: tuple[Sanitizer, ...] = ()
    visible: bool = False
    static_args: tuple[str, ...] | None = None
    """Arguments of the static validator, which judges one more test point, "<id>/static"; None: there is no such
    point."""
    static_full: float = 0.0
    """How many of the group's points the static validator gives."""


class BuildKind(Struct, frozen=True, forbid_unknown_fields=True):
    """What a submission is, and how it is built."""

    kind: Literal["source", "cmake", "make", "header", "output-only"] = "source"
    """"source": a file or directory of one language; "cmake", "make": a repository; "header": headers that are compiled
    with the package's drivers; "output-only": output files, nothing is run."""
    artefact: str = "code"
    """The program that a repository must build; of "output-only", the file with {case} for the last part of a case's
    id, or one file for all cases."""
    target: str | None = None
    headers: tuple[str, ...] = ()
    """Files that a header submission must have."""
    drivers: dict[str, Path] = field(default_factory=dict)
    include: Path | None = None
    """Directory on the include path."""
    standard: str = "c++20"
    languages: tuple[str, ...] = ()
    """Which are accepted; empty: all that the kind allows."""


class Metric(Struct, frozen=True, forbid_unknown_fields=True):
    """How a raw value becomes a score in [0, 1]: linear between `baselines` (value, score), constant beyond them.

    `unit` is shown to people.
    """

    baselines: Annotated[tuple[tuple[_Value, Annotated[float, Meta(ge=0, le=1)]], ...], Meta(min_length=2)]
    better: Literal["lower", "higher"]
    unit: str = ""


class SanitizerCheck(Struct, frozen=True):
    """A check of a group's accepted cases under sanitizers; a finding replaces the verdict, and there are no points."""

    group: str
    sanitizers: tuple[Sanitizer, ...]


class Expectation(Struct, frozen=True):
    """What is expected of the test points that a pattern matches."""

    pattern: str = ""
    """Of ids of cases or groups; "": all."""
    permitted: tuple[str, ...] = ()
    """Every verdict is one of these; empty: any."""
    required: tuple[str, ...] = ()
    """At least one verdict is one of these; empty: none is required."""
    score: tuple[float, float] | None = None
    """(minimum, maximum) points of the groups that match, or of all."""
    message: str = ""


class ExpectedSubmission(Struct, frozen=True):
    """A submission that comes with the package, and its expected result."""

    path: Path
    label: str
    """Name of its directory below ``submissions/``."""
    verdicts: tuple[str, ...] = ()
    """The verdict of the whole submission is one of these; empty: any."""
    language: str | None = None
    reference: bool = False
    """Limits are compared with what it uses."""
    expectations: tuple[Expectation, ...] = ()
    first_failure: bool = False
    """The first test point that fails decides, as in the Kattis formats before 2025-09, and not the worst."""


class Generated(Struct, frozen=True, forbid_unknown_fields=True, rename={"hashes": "files"}):
    """Test data that are made on the judge's machine when they are first needed, and are not in the package."""

    program: Path
    hashes: dict[str, str]
    """Name below ``data/`` -> SHA-256 of the content."""
    args: tuple[str, ...] = ()
    """Of the program; the directory to fill is added."""

    @property
    def place(self) -> Path:
        """The directory in the user's cache where they are once they have been made and compared.

        It is named by all hashes, so that its content never changes.
        """
        total = "".join(f"{file}\0{self.hashes[file]}\n" for file in sorted(self.hashes))
        return cache_directory().parent / "judge" / "generated" / hashlib.sha256(total.encode()).hexdigest()


class Hint(Struct, frozen=True):
    """A hint that an agent may ask for. ``group``: the name of the test group that it helps with."""

    group: str
    text: str


# The eight categories of published projects (arXiv 2602.01655).
Category = Literal[
    "algorithm", "management", "game", "interpreter", "assembly", "data-structure", "storage", "optimization"
]
CATEGORIES = get_args(Category)
Difficulty = Literal["easy", "medium", "hard"]


class Problem(Struct, frozen=True):
    """A problem package."""

    id: str
    name: str
    root: Path
    digest: str
    """SHA-256 over all files of the package."""
    statement: str
    groups: tuple[PointGroup, ...]
    limits: PointLimits = PointLimits()
    time_multipliers: dict[str, float] = field(default_factory=dict)
    memory_multipliers: dict[str, float] = field(default_factory=dict)
    """By language, instead of those of the language table; "*": of all that are not named."""
    build: BuildKind = BuildKind()
    included: Path | None = None
    """The package's ``include/``: the files in its directory for the language, or else in ``default``, are put over the
    submission's before it is compiled."""
    checker: Checker = Checker()
    interactor: Path | None = None
    """Source file or directory of the program that talks with a submission."""
    metric: Metric | None = None
    generated: Generated | None = None
    """The test data that are not in the package; `Case` names them where they will be."""
    chains: tuple[tuple[str, ...], ...] = ()
    """Ids of cases that run in this order and share a disk; after a failure the rest of a chain is skipped."""
    overlays: tuple[SanitizerCheck, ...] = ()
    attachments: Path | None = None
    floor: float | None = None
    """Most points that the attachments may score when they are submitted as they are."""
    validators: tuple[Path, ...] = ()
    """Programs that accept an input with exit status 42 (Kattis) or 0 (testlib)."""
    invalid_inputs: tuple[Case, ...] = ()
    """Inputs that the validators must reject."""
    static_validator: Path | None = None
    """A program that reads a submission's files (Kattis)."""
    submissions: tuple[ExpectedSubmission, ...] = ()
    review: Path | None = None
    """``review.toml``, the rules and criteria of the code review (see `rigorbench.judge.codereview`)."""
    feedback: Feedback = "tests"
    licence: str | None = None
    category: Category | None = None
    difficulty: Difficulty | None = None
    starter: bool = False
    """Whether the attachments are code to start from; otherwise the project is made from nothing."""
    exercise: bool = False
    """It is smaller than a project of several components."""
    stated: frozenset[str] = frozenset()
    """Which of the keys ``category``, ``difficulty`` and ``starter`` the package states."""
    hints: tuple[Hint, ...] = ()
    """What an agent is told when it asks for a hint, in this order."""
    time_rule: TimeRule | None = None
    """How the time limit is found, if the package gives none; see `rigorbench.judge.verify.package`."""
    passes: int = 1
    """Most runs on a test point; more than one: the checker may ask for another (multi-pass)."""
    notes: tuple[str, ...] = ()
    """What the package contains that has no effect here, one line each."""
    earlier: bool = False
    """It is in a version of the Kattis format before 2025-09, so it is somebody else's and was not written for our
    proof."""

    @property
    def full(self) -> float:
        return sum(group.full for group in self.groups)
