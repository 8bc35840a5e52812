"""The keys ``build`` (what a submission is) and ``checker`` (how its output is judged) of ``problem.yaml``."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final, Literal, NoReturn

from msgspec import Struct, field, structs

from .problem import BuildKind, Checker, Compare, PackageError, Positive
from .yamlfile import Texts, texts

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
