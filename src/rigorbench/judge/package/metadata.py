"""``problem.yaml``: the keys of Kattis 2025-09, and ours."""

from __future__ import annotations

import re
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Final, cast, get_args

from msgspec import Struct, structs

from .files import within
from .model import Build, Checker, Compare, Feedback, Limits, Metric
from .yamlfile import Table, is_number

VERSION: Final = "2025-09"
TYPES: Final = ("pass-fail", "scoring", "multi-pass", "interactive", "submit-answer")
LICENCES: Final = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")
# Kattis' codes of languages that have another name in our table.
KATTIS_LANGUAGES: Final = {"python3": "python"}
KINDS: Final = ("source", "cmake", "make", "header", "output-only")
_LANGUAGE_CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
_CONSTANT: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
# Options of the built-in comparisons: how many values follow.
OPTIONS: Final = {
    "case_sensitive": 0,
    "space_change_sensitive": 0,
    "presentation_error": 0,
    "float_tolerance": 1,
    "float_relative_tolerance": 1,
    "float_absolute_tolerance": 1,
}


class Metadata(Struct):
    """``names``: by language code. ``constants``: by the text that stands for them, such as "k" and "k.tex".
    ``driver_cases``: patterns of case ids -> driver. ``interactor``: of a testlib problem, beside its checker."""

    names: dict[str, str]
    types: tuple[str, ...]
    limits: Limits
    build: Build
    driver_cases: dict[str, str]
    time_multipliers: dict[str, float]
    memory_multipliers: dict[str, float]
    chains: tuple[tuple[str, ...], ...]
    sanitize: tuple[Sanitize, ...]
    constants: dict[str, str]
    metric: Metric | None = None
    checker: Checker | None = None
    interactor: Path | None = None
    floor: float | None = None
    feedback: Feedback = "tests"
    keywords: tuple[str, ...] = ()
    licence: str | None = None
    source: str | None = None


class Sanitize(Struct, frozen=True):
    """One entry of ``sanitize`` as it was written. ``where``: for messages."""

    of: str
    checks: tuple[str, ...]
    where: str
    score: float | None = None
    group: str | None = None


def read_metadata(table: Table, root: Path) -> Metadata:
    """Raises: PackageError."""
    version = table.text("problem_format_version")
    if version != VERSION:
        table.fail(
            "problem_format_version",
            f"must be {VERSION!r}, not {version!r}; `rigor judge import` converts Polygon and ACMOJ packages",
        )
    if table.text("uuid") is None:
        table.fail("uuid", f"missing; write `uuid: {uuid.uuid4()}`")
    types = table.texts("type", one=True) or ("pass-fail",)
    _check_types(table, types)
    build, cases, times, memories = _build(table, root, types)
    compare, interactor = _checker(table, root, types)
    found = Metadata(
        names=_names(table),
        types=types,
        limits=_limits(table),
        build=build,
        driver_cases=cases,
        time_multipliers=times,
        memory_multipliers=memories,
        chains=_chains(table),
        sanitize=_sanitize(table, types),
        constants=_constants(table),
        metric=_metric(table, types),
        checker=compare,
        interactor=interactor,
        floor=table.number("floor"),
        feedback=cast(Feedback, table.text("feedback", "tests", choices=get_args(Feedback))),
        keywords=table.texts("keywords") or (),
        licence=table.text("license", "unknown", choices=LICENCES),
        source=_source(table),
    )
    # What only people read.
    table.flag("allow_file_writing")
    for key in ("version", "rights_owner"):
        table.text(key)
    for key in ("credits", "embargo_until"):
        table.take(key)
    table.done()
    return found


def _check_types(table: Table, types: tuple[str, ...]) -> None:
    for kind in types:
        if kind not in TYPES:
            table.fail("type", f"{kind!r} is not one of {', '.join(TYPES)}")
    if len(set(types)) != len(types):
        table.fail("type", "names one twice")
    for one, other in (
        ("pass-fail", "scoring"),
        ("submit-answer", "multi-pass"),
        ("submit-answer", "interactive"),
    ):
        if one in types and other in types:
            table.fail("type", f"{one} and {other} exclude each other")
    if "multi-pass" in types:
        table.fail("type", "multi-pass problems cannot be judged; an interactive one can do the same in one run")


def _names(table: Table) -> dict[str, str]:
    raw = table.take("name")
    if isinstance(raw, str):
        return {"en": raw}
    if raw is None:
        table.fail("name", "missing; write the problem's title")
    nested = table.nested("name")
    names = {}
    for code in nested:
        if not _LANGUAGE_CODE.fullmatch(code):
            nested.fail(code, "is not the code of a language, such as en or pt-BR")
        names[code] = nested.text(code) or ""
    if not names:
        table.fail("name", "missing; write the problem's title")
    return names


def _source(table: Table) -> str | None:
    raw = table.take("source")
    if raw is None or isinstance(raw, str):
        return raw
    entries = raw if isinstance(raw, list) else [raw]
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in entries]
    if not names or not all(isinstance(name, str) for name in names):
        table.fail("source", "must be a name, or mappings with a name and a url")
    return ", ".join(str(name) for name in names)


def _limits(table: Table) -> Limits:
    limits = table.table("limits")
    if limits is None:
        return Limits()
    base = Limits()
    found: dict[str, float | int | None] = {}

    def put(name: str, value: float | int | None, unit: int = 1) -> None:
        if value is not None:
            found[name] = round(value * unit) if isinstance(getattr(base, name), int) else value

    put("time", limits.number("time_limit", above=True))
    put("memory", limits.whole("memory", least=1), 1 << 20)
    put("output", limits.whole("output", least=1), 1 << 20)
    put("code", limits.whole("code", least=1), 1 << 10)
    put("compile_time", limits.number("compilation_time", above=True))
    put("compile_memory", limits.whole("compilation_memory", least=1), 1 << 20)
    put("validation_time", limits.number("validation_time", above=True))
    put("validation_memory", limits.whole("validation_memory", least=1), 1 << 20)
    put("disk", limits.number("disk"), 1 << 20)
    put("files", limits.whole("files"))
    put("processes", limits.whole("processes", least=1))
    budget = limits.whole("submissions", least=1)
    # How a limit should lie to the times of the submissions; `rigor judge verify` wants twice the reference's.
    limits.number("time_resolution", above=True)
    limits.whole("validation_output", least=1)
    multipliers = limits.table("time_multipliers")
    if multipliers is not None:
        for key in ("ac_to_time_limit", "time_limit_to_tle"):
            multipliers.number(key, least=1)
        multipliers.done()
    limits.done()
    return structs.replace(base, submissions=budget, **found)


def _build(
    table: Table, root: Path, types: tuple[str, ...]
) -> tuple[Build, dict[str, str], dict[str, float], dict[str, float]]:
    """(the contract, {pattern of cases: driver}, time and memory multipliers by language)."""
    kattis = table.texts("languages", one=True)
    build = table.table("build")
    default = "output-only" if "submit-answer" in types else "source"
    included = root / "include" if (root / "include").is_dir() else None
    if build is None:
        build = Table(table.file, {}, "build.")
    kind = build.text("kind", default, choices=KINDS)
    if "submit-answer" in types and kind != "output-only":
        build.fail("kind", "must be output-only in a problem of type submit-answer")
    languages = build.texts("languages")
    if languages is not None and kattis is not None:
        build.fail("languages", "the key `languages` says it already; keep one of them")
    if languages is None and kattis is not None and kattis != ("all",):
        languages = kattis
    include = build.text("include")
    drivers, cases = _drivers(build, root)
    headers = build.texts("headers") or ()
    if kind == "header" and not (headers and drivers):
        build.fail("headers" if drivers else "drivers", "missing; a header problem names its headers and its drivers")
    if kind != "header" and (headers or drivers or cases):
        build.fail("drivers", "only for `kind: header`")
    for header in headers:
        if header.startswith("/") or ".." in header.split("/"):
            build.fail("headers", f"{header!r} leads outside the submission")
    artefact = build.text("artefact", "{case}.out" if kind == "output-only" else "code") or ""
    if artefact.startswith("/") or ".." in artefact.split("/") or not artefact:
        build.fail("artefact", f"{artefact!r} leads outside the submission")
    standard = build.text("standard", "c++20") or ""
    if not re.fullmatch(r"(gnu|c)(\+\+)?[0-9a-z]{2}", standard):
        build.fail("standard", f"{standard!r} is no standard of C or C++, such as c++20")
    times, memories = _multipliers(build, "time_multipliers"), _multipliers(build, "memory_multipliers")
    found = Build(
        kind=kind,  # type: ignore[arg-type]
        artefact=artefact,
        target=build.text("target"),
        headers=headers,
        drivers=drivers,
        include=within(root, include, f"{table.file}: build.include") if include is not None else None,
        included=included if include is None else None,
        standard=standard,
        languages=tuple(KATTIS_LANGUAGES.get(name, name) for name in languages or ()),
    )
    build.done()
    return found, cases, times, memories


def _drivers(build: Table, root: Path) -> tuple[dict[str, Path], dict[str, str]]:
    drivers: dict[str, Path] = {}
    named = build.table("drivers")
    if named is not None:
        for name in named:
            drivers[name] = within(root, named.text(name) or "", f"{build.file}: build.drivers.{name}")
    cases: dict[str, str] = {}
    patterns = build.table("cases")
    if patterns is not None:
        for pattern in patterns:
            driver = patterns.text(pattern) or ""
            if driver not in drivers:
                patterns.fail(pattern, f"there is no driver {driver!r}; name one of build.drivers")
            cases[pattern] = driver
    return drivers, cases


def _multipliers(build: Table, key: str) -> dict[str, float]:
    table = build.table(key)
    if table is None:
        return {}
    return {KATTIS_LANGUAGES.get(name, name): table.number(name, 1.0, above=True) or 1.0 for name in table}


def _chains(table: Table) -> tuple[tuple[str, ...], ...]:
    raw = table.take("chain")
    if raw is None:
        return ()
    if not isinstance(raw, list):
        table.fail("chain", "must be a list of lists of test points")
    for index, chain in enumerate(raw):
        if not isinstance(chain, list) or not chain or not all(isinstance(item, str) for item in chain):
            table.fail(f"chain[{index}]", "must be a list of test points (or patterns), such as [secret/restart/*]")
    return tuple(tuple(chain) for chain in raw)


def _sanitize(table: Table, types: tuple[str, ...]) -> tuple[Sanitize, ...]:
    found = []
    for entry in table.tables("sanitize"):
        of = entry.text("of")
        if of is None:
            entry.fail("of", "missing; name the group whose test points run again")
        checks = entry.texts("checks", one=True) or ()
        for check in checks:
            if check not in ("leak", "address", "uninitialised"):
                entry.fail("checks", f"{check!r} is not one of leak, address, uninitialised")
        if not checks or len(set(checks)) != len(checks):
            entry.fail("checks", "name each of leak, address, uninitialised at most once, and at least one")
        score, group = entry.number("score"), entry.text("group")
        if (score is None) != (group is None):
            entry.fail("group" if group is None else "score", "missing; a group of its own has a name and points")
        if score is not None and "scoring" not in types:
            entry.fail("score", "only in problems of `type: scoring`; without it a finding changes the verdict")
        entry.done()
        found.append(Sanitize(of, checks, f"{entry.file}: {entry.where}", score, group))
    return tuple(found)


def _constants(table: Table) -> dict[str, str]:
    constants = table.table("constants")
    found: dict[str, str] = {}
    if constants is None:
        return found
    for name in constants:
        if not _CONSTANT.fullmatch(name):
            constants.fail(name, "is no name: letters, digits and _, no digit first")
        raw = constants.take(name)
        scalar = Table(table.file, {"value": raw}, f"constants.{name}.")
        variants = constants.nested(name) if isinstance(raw, dict) else scalar
        if "value" not in variants:
            constants.fail(name, "has no key `value`")
        for variant, value in variants.items():
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                variants.fail(variant, "must be a number or a text")
            found[f"{name}.{variant}"] = str(value)
        found[name] = found[f"{name}.value"]
    return found


def _metric(table: Table, types: tuple[str, ...]) -> Metric | None:
    metric = table.table("metric")
    if metric is None:
        return None
    if "scoring" not in types:
        table.fail("metric", "only in problems of `type: scoring`")
    better = metric.text("better", choices=("lower", "higher"))
    if better is None:
        metric.fail("better", "missing; lower or higher")
    raw = metric.take("baselines")
    points: list[tuple[float, float]] = []
    for item in raw if isinstance(raw, list) else []:
        pair = item if isinstance(item, list) else []
        if len(pair) == 2 and all(is_number(value) for value in pair):
            points.append((float(pair[0]), float(pair[1])))
    if not isinstance(raw, list) or len(points) != len(raw) or len(points) < 2:
        metric.fail("baselines", "must be a list of two or more [value, score] pairs")
    points.sort()
    scores = [score for _, score in points]
    if not all(0 <= score <= 1 for score in scores):
        metric.fail("baselines", "scores lie between 0 and 1")
    if any(a[0] == b[0] for a, b in pairwise(points)):
        metric.fail("baselines", "a value is there twice")
    if scores != sorted(scores, reverse=better == "lower"):
        metric.fail("baselines", f"a better value ({better}) must not score less")
    found = Metric(tuple(points), better, metric.text("unit", "") or "")  # type: ignore[arg-type]
    metric.done()
    return found


def _checker(table: Table, root: Path, types: tuple[str, ...]) -> tuple[Checker | None, Path | None]:
    """What the key ``checker`` says; a program is put in by the caller. None: it is not there."""
    checker = table.table("checker")
    if checker is None:
        return None, None
    compare = checker.text("compare", choices=get_args(Compare))
    contract = checker.text("contract", choices=("kattis", "testlib"))
    options = checker.texts("options") or ()
    interactor = checker.text("interactor")
    if (compare is None) == (contract is None):
        checker.fail("compare", "name either a comparison (`compare`) or what output_validator/ speaks (`contract`)")
    if options and compare is None:
        checker.fail("options", "only with `compare`; a program's arguments are `output_validator_args`")
    if compare is not None and "interactive" in types:
        checker.fail("compare", "an interactive problem is decided by its interactor, output_validator/")
    if interactor is not None and not (contract == "testlib" and "interactive" in types):
        checker.fail("interactor", "only for `contract: testlib` and `type: interactive`")
    problem = check_options(options)
    if problem is not None:
        checker.fail("options", problem)
    place = within(root, interactor, f"{table.file}: checker.interactor") if interactor is not None else None
    checker.done()
    if compare is not None:
        return Checker(cast(Compare, compare), options), None
    return Checker(None, contract=contract or "kattis"), place  # type: ignore[arg-type]


def check_options(options: tuple[str, ...]) -> str | None:
    """What is wrong with options of a built-in comparison; None: nothing."""
    seen: set[str] = set()
    words = iter(" ".join(options).split())
    for word in words:
        if word not in OPTIONS:
            return f"{word!r} is not one of {', '.join(OPTIONS)}"
        if word in seen:
            return f"{word} is there twice"
        seen.add(word)
        if OPTIONS[word]:
            value = next(words, "")
            if not re.fullmatch(r"\+?(\d*\.\d+|\d+\.?)([eE][+-]?\d+)?", value):
                return f"{word} needs a number after it, such as 1e-6"
    if "float_tolerance" in seen and seen & {"float_relative_tolerance", "float_absolute_tolerance"}:
        return "float_tolerance stands for both others; keep it or them"
    return None
