"""``problem.yaml``: the keys of Kattis 2025-09, and ours. Earlier versions are translated (see `published`)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

from msgspec import Meta, Struct, field, structs

from . import files
from .problem import (
    GREATEST,
    BuildKind,
    Category,
    Checker,
    Compare,
    Difficulty,
    Feedback,
    Generated,
    Hint,
    Metric,
    Natural,
    Number,
    PackageError,
    PointLimits,
    Positive,
    Problem,
    Sanitizer,
    TimeRule,
)
from .published import TYPES, VERSION, Licence, as_current, version
from .yamlfile import Texts, convert, is_number, texts

# The Kattis format's codes of languages that have another name in our table.
KATTIS_LANGUAGES: Final = {"python3": "python"}
# Options of the built-in comparisons -> how many values follow.
OPTIONS: Final = {
    "case_sensitive": 0,
    "space_change_sensitive": 0,
    "presentation_error": 0,
    "float_tolerance": 1,
    "float_relative_tolerance": 1,
    "float_absolute_tolerance": 1,
}


class BuildKeys(BuildKind, frozen=True):
    """What a submission is, and what depends on its language and on the test point."""

    cases: dict[str, str] = field(default_factory=dict)
    """Pattern of test points -> driver."""
    time_multipliers: dict[str, Positive] = field(default_factory=dict)
    memory_multipliers: dict[str, Positive] = field(default_factory=dict)


class CheckerKeys(Struct, frozen=True, forbid_unknown_fields=True):
    compare: Compare | None = None
    contract: Literal["kattis", "testlib"] | None = None
    options: tuple[str, ...] = ()
    interactor: Path | None = None
    """Of a testlib problem, which has a checker as well."""


def checked_build(
    build: BuildKeys, file: str, types: tuple[str, ...], languages: Texts | None, stated: Collection[str]
) -> BuildKeys:
    """The keys with their defaults; `languages`: Kattis' key, `stated`: what is given. Raises: PackageError."""

    def fail(key: str, what: str) -> NoReturn:
        raise PackageError(f"{file}: build.{key}: {what}")

    if "submit-answer" in types and "kind" not in stated:
        build = structs.replace(build, kind="output-only")
    if build.kind == "output-only" and "artefact" not in stated:
        build = structs.replace(build, artefact="{case}.out")
    if "submit-answer" in types and build.kind != "output-only":
        fail("kind", "must be output-only in a problem of type submit-answer")
    if "languages" in stated and languages is not None:
        fail("languages", "the key `languages` has the same meaning; keep one of them")
    kattis = () if languages is None or texts(languages) == ("all",) else texts(languages)
    if build.kind == "header" and not (build.headers and build.drivers):
        missing = "headers" if build.drivers else "drivers"
        fail(missing, "missing; a header problem names its headers and its drivers")
    if build.kind != "header" and (build.headers or build.drivers or build.cases):
        fail("drivers", "only for `kind: header`")
    for pattern, driver in build.cases.items():
        if driver not in build.drivers:
            fail(f"cases.{pattern}", f"no driver {driver!r}; name one of build.drivers")
    for key, path in (*(("headers", header) for header in build.headers), ("artefact", build.artefact)):
        if path.startswith("/") or ".." in path.split("/") or not path:
            fail(key, f"{path!r} leads outside the submission")
    if not re.fullmatch(r"(gnu|c)(\+\+)?[0-9a-z]{2}", build.standard):
        fail("standard", f"{build.standard!r} is not a standard of C or C++, such as c++20")
    return structs.replace(
        build,
        languages=tuple(KATTIS_LANGUAGES.get(name, name) for name in build.languages or kattis),
        time_multipliers={KATTIS_LANGUAGES.get(name, name): n for name, n in build.time_multipliers.items()},
        memory_multipliers={KATTIS_LANGUAGES.get(name, name): n for name, n in build.memory_multipliers.items()},
    )


def checker_of(keys: CheckerKeys, file: str, types: tuple[str, ...]) -> Checker:
    """The checker; the caller sets its program. Raises: PackageError."""

    def fail(key: str, what: str) -> NoReturn:
        raise PackageError(f"{file}: checker.{key}: {what}")

    if (keys.compare is None) == (keys.contract is None):
        fail("compare", "name either a comparison (`compare`) or the `contract` of output_validator/")
    if keys.options and keys.compare is None:
        fail("options", "only with `compare`; a program's arguments are `output_validator_args`")
    if keys.compare is not None and "interactive" in types:
        fail("compare", "in an interactive problem the interactor, output_validator/, decides")
    if keys.interactor is not None and not (keys.contract == "testlib" and "interactive" in types):
        fail("interactor", "only for `contract: testlib` and `type: interactive`")
    problem = check_options(keys.options)
    if problem is not None:
        fail("options", problem)
    return Checker(keys.compare, keys.options, contract=keys.contract or "kattis")


def check_options(options: tuple[str, ...]) -> str | None:
    """What is wrong with the options of a built-in comparison, or None."""
    seen: set[str] = set()
    words = iter(" ".join(options).split())
    for word in words:
        if word not in OPTIONS:
            return f"{word!r} is not one of {', '.join(OPTIONS)}"
        if word in seen:
            return f"{word} is given twice"
        seen.add(word)
        if OPTIONS[word]:
            value = next(words, "")
            if not re.fullmatch(r"\+?(\d*\.\d+|\d+\.?)([eE][+-]?\d+)?", value):
                return f"{word} needs a number after it, such as 1e-6"
    if "float_tolerance" in seen and seen & {"float_relative_tolerance", "float_absolute_tolerance"}:
        return "float_tolerance sets both others; keep it or them"
    return None


# What a package says of the kind of project it is.
CLASSIFICATION: Final = ("category", "difficulty", "starter")
_EXCLUSIVE: Final = (("pass-fail", "scoring"), ("submit-answer", "multi-pass"), ("submit-answer", "interactive"))
_GENERATED: Final = re.compile(r"secret(/[a-zA-Z0-9_][a-zA-Z0-9_.-]*)+\.(in|ans)")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
# Limits in other units than bytes.
_UNITS: Final = {
    **dict.fromkeys(("memory", "output", "compilation_memory", "validation_memory", "disk"), 1 << 20),
    "code": 1 << 10,
}
_Factor = Annotated[float, Meta(ge=1, le=GREATEST)]
_Name = Annotated[str, Meta(pattern=r"^[a-zA-Z_][a-zA-Z0-9_]*\Z")]
_LanguageCode = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?\Z")]
_Constant = int | float | str


class TimeFactors(Struct, frozen=True, forbid_unknown_fields=True):
    ac_to_time_limit: _Factor = TimeRule().factor
    time_limit_to_tle: _Factor = 1.0
    """Not used: what is too slow shows when it is judged."""


class LimitKeys(PointLimits, frozen=True):
    time_multipliers: TimeFactors = TimeFactors()
    time_resolution: Positive = TimeRule().resolution
    validation_output: Natural | None = None
    validation_passes: Annotated[int, Meta(ge=2, le=GREATEST)] = 2


class Sanitize(Struct, frozen=True, forbid_unknown_fields=True):
    of: str
    checks: Sanitizer | tuple[Sanitizer, ...] = ()
    score: Number | None = None
    group: str | None = None


class Metadata(Struct, frozen=True, forbid_unknown_fields=True, rename={"licence": "license"}):
    """The keys of ``problem.yaml``."""

    name: str | Annotated[dict[_LanguageCode, str], Meta(min_length=1)]
    problem_format_version: Any = None
    uuid: str | None = None
    type: Texts = "pass-fail"
    limits: LimitKeys = LimitKeys()
    build: BuildKeys = BuildKeys()
    languages: Texts | None = None
    checker: CheckerKeys | None = None
    metric: Metric | None = None
    chain: tuple[Annotated[tuple[str, ...], Meta(min_length=1)], ...] = ()
    sanitize: tuple[Sanitize, ...] = ()
    generated: Generated | None = None
    constants: dict[_Name, _Constant | dict[_Name, _Constant]] = {}  # msgspec copies it
    hints: dict[str, Texts] = {}
    floor: Number | None = None
    feedback: Feedback = "tests"
    licence: Licence = "unknown"
    category: Category | None = None
    difficulty: Difficulty | None = None
    starter: bool | None = None
    exercise: bool = False
    validator_flags: tuple[str, ...] = ()
    """Arguments of the output validator for all test points, before 2025-09."""
    # Without effect on judging.
    keywords: tuple[str, ...] = ()
    source: str | dict[str, Any] | tuple[Any, ...] | None = None
    allow_file_writing: bool = False
    version: str | None = None
    rights_owner: str | None = None
    source_url: str | None = None
    credits: Any = None
    embargo_until: Any = None

    @property
    def types(self) -> tuple[str, ...]:
        # The format's own examples write several types as one text.
        return tuple(word for text in texts(self.type) for word in text.split())

    @property
    def names(self) -> dict[str, str]:
        """Title by language code."""
        return {"en": self.name} if isinstance(self.name, str) else self.name

    @property
    def values(self) -> dict[str, str]:
        """The constants: value by the name in braces, such as "k" and "k.tex"."""
        found: dict[str, str] = {}
        for name, value in self.constants.items():
            variants = value if isinstance(value, dict) else {"value": value}
            found |= {f"{name}.{variant}": str(text) for variant, text in variants.items()}
            found[name] = found.get(f"{name}.value", "")
        return found


def read_metadata(values: dict[str, Any], root: Path) -> tuple[Problem, Metadata, list[str]]:
    """What it says of the problem (without statement and test points), its keys, and what has no effect here.

    Raises: PackageError.
    """
    file, notes = str(root / "problem.yaml"), list[str]()

    def fail(key: str, what: str) -> NoReturn:
        raise PackageError(f"{file}: {key}: {what}")

    def path_of(_: type, name: object) -> Path:
        if not isinstance(name, str):
            raise ValueError("must be the path of a file of the package")
        return files.within(root, name)

    earlier = version(values, file) != VERSION
    if earlier:
        values = as_current(values, root, notes)
    elif values.get("uuid") is None:
        fail("uuid", f"missing; write `uuid: {uuid.uuid4()}`")
    if isinstance(limits := values.get("limits"), dict):
        values = values | {"limits": {key: _in_bytes(key, value) for key, value in limits.items()}}
    meta = convert(values, Metadata, file, hook=path_of)
    if meta.validator_flags and not earlier:
        fail("validator_flags", "of earlier versions; write `output_validator_args` in data/secret/test_group.yaml")
    types = meta.types
    for kind in types:
        if kind not in TYPES:
            fail("type", f"{kind!r} is not one of {', '.join(TYPES)}")
    if len(set(types)) != len(types):
        fail("type", "names a type twice")
    for one, other in _EXCLUSIVE:
        if one in types and other in types:
            fail("type", f"{one} and {other} exclude each other")
    for name, value in meta.constants.items():
        if isinstance(value, dict) and "value" not in value:
            fail(f"constants.{name}", "the key `value` is missing")
    for index, entry in enumerate(meta.sanitize):
        where, checks = f"sanitize[{index}].", texts(entry.checks)
        if not checks or len(set(checks)) != len(checks):
            fail(f"{where}checks", "name each of leak, address, uninitialised at most once, and at least one")
        if (entry.score is None) != (entry.group is None):
            missing = "group" if entry.group is None else "score"
            fail(where + missing, "missing; a separate group needs a name and points")
        if entry.score is not None and "scoring" not in types:
            fail(f"{where}score", "only in problems of `type: scoring`; without it a finding changes the verdict")
    sources = meta.source if isinstance(meta.source, tuple) else ("" if meta.source is None else meta.source,)
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in sources]
    if not names or not all(isinstance(name, str) for name in names):
        fail("source", "must be a name, or mappings with a name and a url")
    if meta.metric is not None and "scoring" not in types:
        fail("metric", "only in problems of `type: scoring`")
    if meta.metric is not None:
        points = sorted(meta.metric.baselines)
        scores = [score for _, score in points]
        if any(a[0] == b[0] for a, b in pairwise(points)):
            fail("metric.baselines", "a value is given twice")
        if scores != sorted(scores, reverse=meta.metric.better == "lower"):
            fail("metric.baselines", f"a better value ({meta.metric.better}) must not score less")
    if meta.generated is not None:
        if not meta.generated.program.is_file():
            fail("generated.program", "is a directory; name the file in it that is run")
        for name, digest in meta.generated.hashes.items():
            path, where = root / "data" / name, f"generated.files.{name}"
            if not _GENERATED.fullmatch(name):
                fail(where, "must be the path of an input or answer below data, such as secret/2-large/01.in")
            if not _SHA256.fullmatch(digest):
                fail(where, "must be the file's SHA-256 as 64 digits (0-9, a-f)")
            if path.exists():
                fail(where, f"{path} is in the package as well; remove it, or this line")
            if not path.parent.is_dir():
                fail(where, f"there is no directory {path.parent}; make it, with a test_group.yaml if it is a group")
        if not meta.generated.hashes:
            fail(
                "generated.files", "missing; write `secret/GROUP/NAME.in: SHA256` for each file that the program makes"
            )
    stated = values.get("build") or {}
    build = checked_build(meta.build, file, types, meta.languages, {k for k in stated if stated[k] is not None})
    factors = meta.limits.time_multipliers
    timed = isinstance(limits, dict) and limits.get("time_limit") is not None
    same = ("generated", "floor", "feedback", "licence", "category", "difficulty", "exercise")
    problem = Problem(
        root.name,
        meta.names.get("en") or meta.names[min(meta.names)],
        root,
        "",
        "",
        (),
        limits=meta.limits,
        time_multipliers=build.time_multipliers,
        memory_multipliers=build.memory_multipliers,
        build=build,
        included=root / "include" if (root / "include").is_dir() and build.include is None else None,
        metric=meta.metric and structs.replace(meta.metric, baselines=tuple(sorted(meta.metric.baselines))),
        starter=(root / "attachments").is_dir() if meta.starter is None else meta.starter,
        stated=frozenset(key for key in CLASSIFICATION if key in values),
        hints=tuple(Hint(group, text) for group, given in meta.hints.items() for text in texts(given)),
        time_rule=None if timed else TimeRule(factors.ac_to_time_limit, meta.limits.time_resolution),
        passes=meta.limits.validation_passes if "multi-pass" in types else 1,
        earlier=earlier,
        **{name: getattr(meta, name) for name in same},
    )
    return problem, meta, notes


def _in_bytes(key: str, value: object) -> object:
    unit = _UNITS.get(key, 1)
    if isinstance(value, float) and key == "disk" and is_number(value):
        return round(value * unit)
    return value * unit if isinstance(value, int) and not isinstance(value, bool) else value
