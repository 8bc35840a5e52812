"""The keys ``build`` (what a submission is) and ``checker`` (how its output is judged) of ``problem.yaml``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, cast, get_args

from .files import within
from .problem import BuildKind, Checker, Compare
from .yamlfile import YamlMapping

# The Kattis format's codes of languages that have another name in our table.
KATTIS_LANGUAGES: Final = {"python3": "python"}
KINDS: Final = ("source", "cmake", "make", "header", "output-only")
# Options of the built-in comparisons -> how many values follow.
OPTIONS: Final = {
    "case_sensitive": 0,
    "space_change_sensitive": 0,
    "presentation_error": 0,
    "float_tolerance": 1,
    "float_relative_tolerance": 1,
    "float_absolute_tolerance": 1,
}


def read_build(
    table: YamlMapping, root: Path, types: tuple[str, ...]
) -> tuple[BuildKind, dict[str, str], dict[str, float], dict[str, float]]:
    """(how it is built, {pattern of cases: driver}, time multipliers, memory multipliers by language)."""
    kattis = table.texts("languages", one=True)
    build = table.table("build")
    default = "output-only" if "submit-answer" in types else "source"
    included = root / "include" if (root / "include").is_dir() else None
    if build is None:
        build = YamlMapping(table.file, {}, "build.")
    kind = build.text("kind", default, choices=KINDS)
    if "submit-answer" in types and kind != "output-only":
        build.fail("kind", "must be output-only in a problem of type submit-answer")
    languages = build.texts("languages")
    if languages is not None and kattis is not None:
        build.fail("languages", "the key `languages` has the same meaning; keep one of them")
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
        build.fail("standard", f"{standard!r} is not a standard of C or C++, such as c++20")
    times, memories = _multipliers(build, "time_multipliers"), _multipliers(build, "memory_multipliers")
    found = BuildKind(
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


def _drivers(build: YamlMapping, root: Path) -> tuple[dict[str, Path], dict[str, str]]:
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
                patterns.fail(pattern, f"no driver {driver!r}; name one of build.drivers")
            cases[pattern] = driver
    return drivers, cases


def _multipliers(build: YamlMapping, key: str) -> dict[str, float]:
    table = build.table(key)
    if table is None:
        return {}
    return {KATTIS_LANGUAGES.get(name, name): table.number(name, 1.0, above=True) or 1.0 for name in table}


def read_checker(table: YamlMapping, root: Path, types: tuple[str, ...]) -> tuple[Checker | None, Path | None]:
    """(the checker, path of a testlib problem's interactor); the caller sets the checker's program. None: no key."""
    checker = table.table("checker")
    if checker is None:
        return None, None
    compare = checker.text("compare", choices=get_args(Compare))
    contract = checker.text("contract", choices=("kattis", "testlib"))
    options = checker.texts("options") or ()
    interactor = checker.text("interactor")
    if (compare is None) == (contract is None):
        checker.fail("compare", "name either a comparison (`compare`) or the `contract` of output_validator/")
    if options and compare is None:
        checker.fail("options", "only with `compare`; a program's arguments are `output_validator_args`")
    if compare is not None and "interactive" in types:
        checker.fail("compare", "in an interactive problem the interactor, output_validator/, decides")
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
