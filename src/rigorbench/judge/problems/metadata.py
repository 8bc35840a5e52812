"""``problem.yaml``: the keys of Kattis 2025-09, and ours. Earlier versions are translated (see `published`)."""

from __future__ import annotations

import hashlib
import re
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Final, cast, get_args

from msgspec import Struct, structs

from ...base.cache import cache_directory
from . import files
from .contract import read_build, read_checker
from .problem import CATEGORIES, Checker, Difficulty, Feedback, Generated, Hint, Metric, PointLimits, Problem, TimeRule
from .published import LICENCES, TYPES, VERSION, as_current, version
from .yamlfile import YamlMapping, is_number

# What a package says of the kind of project it is.
CLASSIFICATION: Final = ("category", "difficulty", "starter")
_EXCLUSIVE: Final = (("pass-fail", "scoring"), ("submit-answer", "multi-pass"), ("submit-answer", "interactive"))
# Runs of a multi-pass problem on a test point, if the package does not say.
_PASSES: Final = 2
_LANGUAGE_CODE: Final = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
_CONSTANT: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_GENERATED: Final = re.compile(r"secret(/[a-zA-Z0-9_][a-zA-Z0-9_.-]*)+\.(in|ans)")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Metadata(Struct):
    """The content of ``problem.yaml``."""

    problem: Problem
    """All that it says of the problem, without statement and test points."""
    names: dict[str, str]
    """Title by language code."""
    types: tuple[str, ...]
    driver_cases: dict[str, str]
    """Pattern of case ids -> driver."""
    chains: tuple[tuple[str, ...], ...]
    """Patterns of case ids, in order."""
    sanitize: tuple[Sanitize, ...]
    constants: dict[str, str]
    """Value by the name in braces, such as "k" and "k.tex"."""
    checker: Checker | None
    interactor: Path | None
    """Of a testlib problem, which has a checker as well."""
    version: str
    """Of the format that the package was written in."""
    validator_flags: tuple[str, ...]
    """Arguments of the output validator for all test points."""
    notes: list[str]
    """What was found and has no effect here, one line each."""


class Sanitize(Struct, frozen=True):
    """One entry of ``sanitize`` as it was written. `where`: file and key, for messages."""

    of: str
    checks: tuple[str, ...]
    where: str
    score: float | None = None
    group: str | None = None


def read_metadata(table: YamlMapping, root: Path) -> Metadata:
    """Raises: PackageError."""
    written, notes = version(table), list[str]()
    if written != VERSION:
        table = as_current(table, root, notes)
    elif table.text("uuid") is None:
        table.fail("uuid", f"missing; write `uuid: {uuid.uuid4()}`")
    # The format's own examples write several types as one text.
    types = tuple(word for text in table.texts("type", one=True) or ("pass-fail",) for word in text.split())
    for kind in types:
        if kind not in TYPES:
            table.fail("type", f"{kind!r} is not one of {', '.join(TYPES)}")
    if len(set(types)) != len(types):
        table.fail("type", "names a type twice")
    for one, other in _EXCLUSIVE:
        if one in types and other in types:
            table.fail("type", f"{one} and {other} exclude each other")
    build, cases, times, memories = read_build(table, root, types)
    compare, interactor = read_checker(table, root, types)
    limits, rule, passes = _limits(table, types)
    names = _names(table)
    starter = table.flag("starter") if "starter" in table else (root / "attachments").is_dir()
    problem = Problem(
        root.name,
        names.get("en") or names[min(names)],
        root,
        "",
        "",
        (),
        limits=limits,
        time_multipliers=times,
        memory_multipliers=memories,
        build=build,
        metric=_metric(table, types),
        generated=_generated(table, root),
        floor=table.number("floor"),
        feedback=cast(Feedback, table.text("feedback", "tests", choices=get_args(Feedback))),
        keywords=table.texts("keywords") or (),
        licence=table.text("license", "unknown", choices=LICENCES),
        source=_source(table),
        category=table.text("category", choices=CATEGORIES),
        difficulty=cast(Difficulty | None, table.text("difficulty", choices=get_args(Difficulty))),
        starter=starter,
        stated=frozenset(key for key in CLASSIFICATION if key in table),
        hints=_hints(table),
        time_rule=rule,
        passes=passes,
        earlier=written != VERSION,
    )
    flags = (table.texts("validator_flags") or ()) if problem.earlier else ()
    found = Metadata(
        problem, names, types, cases, _chains(table), _sanitize(table, types), _constants(table), compare, interactor,
        written, flags, notes,
    )  # fmt: skip
    # Keys without effect on judging.
    table.flag("allow_file_writing")
    for key in ("version", "rights_owner", "source_url"):
        table.text(key)
    for key in ("credits", "embargo_until"):
        table.take(key)
    table.done()
    return found


def _names(table: YamlMapping) -> dict[str, str]:
    raw = table.take("name")
    if isinstance(raw, str):
        return {"en": raw}
    if raw is None:
        table.fail("name", "missing; write the problem's title")
    nested = table.nested("name")
    names = {}
    for code in nested:
        if not _LANGUAGE_CODE.fullmatch(code):
            nested.fail(code, "not a language code, such as en or pt-BR")
        names[code] = nested.text(code) or ""
    if not names:
        table.fail("name", "missing; write the problem's title")
    return names


def _source(table: YamlMapping) -> str | None:
    raw = table.take("source")
    if raw is None or isinstance(raw, str):
        return raw
    entries = raw if isinstance(raw, list) else [raw]
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in entries]
    if not names or not all(isinstance(name, str) for name in names):
        table.fail("source", "must be a name, or mappings with a name and a url")
    return ", ".join(str(name) for name in names)


def _limits(table: YamlMapping, types: tuple[str, ...]) -> tuple[PointLimits, TimeRule | None, int]:
    """(the limits, how the time limit is found if none is given, the most passes)."""
    base, rule = PointLimits(), TimeRule()
    several = "multi-pass" in types
    limits = table.table("limits")
    if limits is None:
        return base, rule, _PASSES if several else 1
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
    limits.whole("validation_output", least=1)
    passes = (limits.whole("validation_passes", _PASSES, least=2) or _PASSES) if several else 1
    factor: float | None = None
    multipliers = limits.table("time_multipliers")
    if multipliers is not None:
        factor = multipliers.number("ac_to_time_limit", least=1)
        # Accepted but not used: what is too slow shows when it is judged.
        multipliers.number("time_limit_to_tle", least=1)
        multipliers.done()
    resolution = limits.number("time_resolution", rule.resolution, above=True)
    limits.done()
    rule = TimeRule(factor or rule.factor, resolution or rule.resolution)
    return structs.replace(base, submissions=budget, **found), None if "time" in found else rule, passes


def _chains(table: YamlMapping) -> tuple[tuple[str, ...], ...]:
    raw = table.take("chain")
    if raw is None:
        return ()
    if not isinstance(raw, list):
        table.fail("chain", "must be a list of lists of test points")
    for index, chain in enumerate(raw):
        if not isinstance(chain, list) or not chain or not all(isinstance(item, str) for item in chain):
            table.fail(f"chain[{index}]", "must be a list of test points (or patterns), such as [secret/restart/*]")
    return tuple(tuple(chain) for chain in raw)


def _sanitize(table: YamlMapping, types: tuple[str, ...]) -> tuple[Sanitize, ...]:
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
            entry.fail("group" if group is None else "score", "missing; a separate group needs a name and points")
        if score is not None and "scoring" not in types:
            entry.fail("score", "only in problems of `type: scoring`; without it a finding changes the verdict")
        entry.done()
        found.append(Sanitize(of, checks, f"{entry.file}: {entry.where}", score, group))
    return tuple(found)


def _hints(table: YamlMapping) -> tuple[Hint, ...]:
    hints = table.table("hints")
    if hints is None:
        return ()
    return tuple(Hint(group, text) for group in hints for text in hints.texts(group, one=True) or ())


def _constants(table: YamlMapping) -> dict[str, str]:
    constants = table.table("constants")
    found: dict[str, str] = {}
    if constants is None:
        return found
    for name in constants:
        if not _CONSTANT.fullmatch(name):
            constants.fail(name, "not a valid name: letters, digits and _, no digit first")
        raw = constants.take(name)
        scalar = YamlMapping(table.file, {"value": raw}, f"constants.{name}.")
        variants = constants.nested(name) if isinstance(raw, dict) else scalar
        if "value" not in variants:
            constants.fail(name, "the key `value` is missing")
        for variant, value in variants.items():
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                variants.fail(variant, "must be a number or a text")
            found[f"{name}.{variant}"] = str(value)
        found[name] = found[f"{name}.value"]
    return found


def _metric(table: YamlMapping, types: tuple[str, ...]) -> Metric | None:
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
        metric.fail("baselines", "scores must be between 0 and 1")
    if any(a[0] == b[0] for a, b in pairwise(points)):
        metric.fail("baselines", "a value is given twice")
    if scores != sorted(scores, reverse=better == "lower"):
        metric.fail("baselines", f"a better value ({better}) must not score less")
    found = Metric(tuple(points), better, metric.text("unit", "") or "")  # type: ignore[arg-type]
    metric.done()
    return found


def _generated(table: YamlMapping, root: Path) -> Generated | None:
    """The key ``generated`` of ``problem.yaml``.

    The directory of the files is named by all their hashes, so that its content never changes.

    Raises:
        PackageError: the program is missing, a file is committed as well, or a name or hash is not one.
    """
    key = table.table("generated")
    if key is None:
        return None
    name = key.text("program")
    if name is None:
        key.fail("program", "missing; name the file of the package that makes the data, such as generators/make.py")
    program = files.within(root, name, f"{key.file}: generated.program")
    if not program.is_file():
        key.fail("program", f"{name} is a directory; name the file in it that is run")
    args = key.texts("args") or ()
    listed = key.table("files")
    hashes: dict[str, str] = {}
    for file in listed or ():
        assert listed is not None
        if not _GENERATED.fullmatch(file):
            listed.fail(file, "must be the path of an input or answer below data, such as secret/2-large/01.in")
        value = listed.text(file) or ""
        if not _SHA256.fullmatch(value):
            listed.fail(file, "must be the file's SHA-256 as 64 digits (0-9, a-f)")
        path = root / "data" / file
        if path.exists():
            listed.fail(file, f"{path} is in the package as well; remove it, or this line")
        if not path.parent.is_dir():
            listed.fail(file, f"there is no directory {path.parent}; make it, with a test_group.yaml if it is a group")
        hashes[file] = value
    if not hashes:
        key.fail("files", "missing; write `secret/GROUP/NAME.in: SHA256` for each file that the program makes")
    key.done()
    total = hashlib.sha256("".join(f"{file}\0{hashes[file]}\n" for file in sorted(hashes)).encode()).hexdigest()
    return Generated(program, args, hashes, cache_directory().parent / "judge" / "generated" / total)
