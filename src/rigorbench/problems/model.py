"""A problem as the judge uses it, whatever layout it was read from. Paths are absolute; seconds, bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct, field

Compare = Literal["token", "line", "exact", "float", "binary"]
Feedback = Literal["none", "verdict", "tests", "first-failure"]
Sanitizer = Literal["leak", "address", "uninitialised"]


class PackageError(ValueError):
    """A package cannot be used. One line that names the file, the key or line, and the remedy."""


class Limits(Struct, frozen=True):
    """Of each test point, for the reference language (C++); other languages get multiples (see the language table).

    ``time``: CPU seconds. ``memory``, ``output``, ``disk``: bytes; ``files``: number. ``code``: bytes of a submission.
    ``compile_time``, ``compile_memory``, ``validation_time``, ``validation_memory``: of compilers and of checkers.
    ``submissions``: how many one run may make (the budget).
    """

    time: float = 1.0
    memory: int = 256 << 20
    output: int = 64 << 20
    disk: int = 64 << 20
    files: int = 1024
    code: int = 1 << 20
    compile_time: float = 60.0
    compile_memory: int = 2 << 30
    validation_time: float = 60.0
    validation_memory: int = 2 << 30
    processes: int = 64
    submissions: int | None = None


class Checker(Struct, frozen=True):
    """``compare``: built in, with ``options`` ("case_sensitive", "float_tolerance", "1e-6", ...). Else ``program``:
    a source file or directory to be built, which speaks the ``contract``. Neither: the interactor decides."""

    compare: Compare | None = "token"
    options: tuple[str, ...] = ()
    program: Path | None = None
    contract: Literal["kattis", "testlib"] = "kattis"


class Interactor(Struct, frozen=True):
    program: Path
    contract: Literal["kattis", "testlib"] = "kattis"


class Case(Struct, frozen=True):
    """A test point. ``id``: place below ``data`` without suffix, such as "secret/basic/01". ``answer`` None: the
    checker needs none. ``args``: arguments of the program; ``checker_args``: of the checker, or further options of a
    built-in comparison. ``driver``: name of the driver that it is run with (header problems). ``hint``: what the
    package lets the author see of it (``.hint``). ``files``: a directory whose files are put into the working directory
    before the run. ``validator_args``: of the input validators, by the validator's name, "" for all others."""

    id: str
    input: Path
    answer: Path | None = None
    args: tuple[str, ...] = ()
    checker_args: tuple[str, ...] = ()
    driver: str | None = None
    hint: str | None = None
    files: Path | None = None
    validator_args: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Group(Struct, frozen=True):
    """``id``: such as "secret/basic"; ``full``: its points. ``aggregation``: "min" or "sum" (mean over cases) of the
    cases' scores in [0, 1], times ``full``. ``requires``: groups that must be accepted, else this one is skipped.
    ``twin_of``: the cases are those of that group, one for one in its order, run again under ``sanitizers``;
    ``visible``: a sample group. ``static_args``: the group has one more test point, "<id>/static", judged by the static
    validator called with these; it may give up to ``static_full`` of the group's points (None: there is none)."""

    id: str
    cases: tuple[Case, ...] = ()
    full: float = 0.0
    aggregation: Literal["min", "sum"] = "min"
    requires: tuple[str, ...] = ()
    twin_of: str | None = None
    sanitizers: tuple[Sanitizer, ...] = ()
    visible: bool = False
    name: str = ""
    static_args: tuple[str, ...] | None = None
    static_full: float = 0.0


class Build(Struct, frozen=True):
    """The repository contract.

    ``kind``: "source" (one file or a directory of one language, by the language table), "cmake" and "make" (a
    repository; ``artefact`` is the program that must come of it, ``target`` what is built), "header" (``headers`` of
    the submission compiled with ``drivers``: name -> source file, with ``include`` on the path), "output-only" (a file
    for each case: ``artefact`` with {case}, the last part of its id; without, one file for all).
    ``languages``: which are accepted; empty: all of the kind. ``included``: the package's ``include/``; the files of
    its directory for the language (a Kattis code such as "python3", or ours), or else of ``default``, are put over the
    submission's before it is compiled.
    """

    kind: Literal["source", "cmake", "make", "header", "output-only"] = "source"
    artefact: str = "code"
    target: str | None = None
    headers: tuple[str, ...] = ()
    drivers: dict[str, Path] = field(default_factory=dict)
    include: Path | None = None
    included: Path | None = None
    standard: str = "c++20"
    languages: tuple[str, ...] = ()


class Metric(Struct, frozen=True):
    """A raw value to a score in [0, 1]: linear between ``baselines`` (value, score), flat beyond.

    ``unit``: for people.
    """

    baselines: tuple[tuple[float, float], ...]
    better: Literal["lower", "higher"]
    unit: str = ""


class Overlay(Struct, frozen=True):
    """A sanitizer over a group without points of its own: its finding replaces the verdict of a passed case."""

    group: str
    sanitizers: tuple[Sanitizer, ...]


class Expectation(Struct, frozen=True):
    """What holds for the test points that ``pattern`` matches (case or group ids, "" for all): every verdict is one of
    ``permitted``, at least one is in ``required`` (empty: not said); ``score``: (least, most) points of the group, or
    of all; ``message``: some point's details hold this text. Names of `rigorbench.problems.verdicts.VERDICTS`."""

    pattern: str = ""
    permitted: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    score: tuple[float, float] | None = None
    message: str = ""


class Expected(Struct, frozen=True):
    """A submission that comes with the package, and what must come of it. ``verdicts``: one of these is the verdict of
    all (empty: not said); ``score``: (least, most) points; None: not said. ``reference``: the one that limits are
    measured by. ``expectations``: what is said about single test points and groups."""

    path: Path
    label: str
    verdicts: tuple[str, ...] = ()
    score: tuple[float, float] | None = None
    language: str | None = None
    reference: bool = False
    expectations: tuple[Expectation, ...] = ()


class ReviewSpec(Struct, frozen=True):
    """``path`` of ``review.toml`` (rules and criteria of the code review), read by `rigorbench.judge.codereview`."""

    path: Path


class Problem(Struct, frozen=True):
    """``digest``: SHA-256 over everything in the package. ``chains``: ordered case ids that share a disk directory; a
    run that does not end well has those after it skipped. ``statement``: Markdown. ``attachments``: what the agent gets
    as starter; ``floor``: the starter's score must be at most this. ``validators``: programs that accept an input with
    status 42 (Kattis) or 0 (testlib). ``invalid_inputs``: what they must reject. ``static_validator``: a program that
    reads the submission's files (Kattis)."""

    id: str
    name: str
    root: Path
    digest: str
    statement: str
    groups: tuple[Group, ...]
    limits: Limits = Limits()
    time_multipliers: dict[str, float] = field(default_factory=dict)
    memory_multipliers: dict[str, float] = field(default_factory=dict)
    build: Build = Build()
    checker: Checker = Checker()
    interactor: Interactor | None = None
    metric: Metric | None = None
    chains: tuple[tuple[str, ...], ...] = ()
    overlays: tuple[Overlay, ...] = ()
    attachments: Path | None = None
    floor: float | None = None
    validators: tuple[Path, ...] = ()
    invalid_inputs: tuple[Case, ...] = ()
    static_validator: Path | None = None
    submissions: tuple[Expected, ...] = ()
    review: ReviewSpec | None = None
    feedback: Feedback = "tests"
    keywords: tuple[str, ...] = ()
    licence: str | None = None
    source: str | None = None

    @property
    def full(self) -> float:
        return sum(group.full for group in self.groups)
