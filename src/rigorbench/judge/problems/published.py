"""Packages as they are published: the Kattis formats before 2025-09, read with the keys of the current one.

Nobody can correct somebody else's package, so what has no effect on judging or no meaning here is noted, not refused.
"""

from __future__ import annotations

import configparser
import math
import re
import shlex
from pathlib import Path
from typing import Any, Final, Literal, get_args

from msgspec import Struct, structs

from .cases import Arguments, read_cases
from .files import GROUP_FILE, NAME, OLD_GROUP_FILE, TIME_LIMIT
from .problem import Case, PackageError, PointGroup
from .statement import find_statements
from .yamlfile import convert, is_number, read_text, read_yaml

VERSION: Final = "2025-09"
LEGACY: Final = "legacy"
# Versions of the format -> the one they are read as. The drafts of 2023-07 became 2025-09.
_VERSIONS: Final = {
    VERSION: VERSION,
    "2023-07": "2023-07",
    "2023-07-draft": "2023-07",
    "2025-09-draft": "2023-07",
    "legacy": LEGACY,
    "legacy-icpc": LEGACY,
    "icpc": LEGACY,
}
TYPES: Final = ("pass-fail", "scoring", "multi-pass", "interactive", "submit-answer")
Licence = Literal["unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"]
LICENCES: Final = get_args(Licence)
# What Kattis gives a program when the package does not say.
_MEMORY: Final = 2048
_LIMITS: Final = frozenset(
    "memory output code compilation_time compilation_memory validation_time validation_memory validation_output "
    "validation_passes time_limit time_resolution time_multipliers".split()
)
# Keys about people, places and presentation: nothing of a judgement depends on them.
_CREDITS: Final = frozenset(
    "problem_format_version uuid author authors credits source_url rights_owner version embargo_until grading "
    "event_name attribution test_date verified owner contributors testers acknowledgements short-name shortname color "
    "rgb label ground_truth allow_file_writing".split()
)
_TITLE: Final = re.compile(r"\\problemname\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


def version(values: dict[str, Any], file: str) -> str:
    """The version of the format that a package is read as. Raises: PackageError: it is none of them."""
    written = values.get("problem_format_version")
    found = _VERSIONS.get(LEGACY if written is None else str(written))
    if found is None:
        raise PackageError(
            f"{file}: problem_format_version: must be one of {', '.join(_VERSIONS)}, not {written!r}; "
            "`rigor judge import` converts Polygon packages"
        )
    return found


def as_current(values: dict[str, Any], root: Path, notes: list[str]) -> dict[str, Any]:
    """``problem.yaml`` of an earlier version with the keys of 2025-09; what was left out is added to `notes`.

    Raises: PackageError: the way of validation is not known, or a limit is not a number.
    """
    given, file = dict(values), str(root / "problem.yaml")
    old = version(values, file) == LEGACY
    types = _types(file, given, root)
    found: dict[str, Any] = {
        "type": types,
        "name": _names(given.pop("name", None), root),
        "limits": _limits(given.pop("limits", None) or {}, root, old, notes),
        # Kattis has one limit for all languages.
        "build": {"time_multipliers": {"*": 1.0}, "memory_multipliers": {"*": 1.0}},
    }
    flags = given.pop("validator_flags", None)
    if flags:
        found["validator_flags"] = words(flags)
    licence = given.pop("license", None)
    if isinstance(licence, str) and licence.lower() in LICENCES:
        found["license"] = licence.lower()
    elif licence is not None:
        notes.append(f"problem.yaml: license: {licence!r} is none of the format's; taken as unknown")
    keywords = given.pop("keywords", None)
    if keywords:
        found["keywords"] = [str(word) for word in (keywords if isinstance(keywords, list) else str(keywords).split())]
    source = given.pop("source", None)
    if isinstance(source, (str, list, dict)) and source:
        found["source"] = source
    for key in ("languages", "constants"):
        if given.get(key):
            found[key] = given.pop(key)
    left = sorted(key for key, value in given.items() if key not in _CREDITS and value is not None)
    notes += [f"problem.yaml: {key}: has no meaning here" for key in left]
    return found


def words(flags: object) -> list[str]:
    """Arguments that are written as one text, or as a list."""
    if isinstance(flags, list):
        return [str(word) for word in flags]
    text = "" if flags is None else str(flags)
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _types(file: str, given: dict[str, Any], root: Path) -> list[str]:
    raw = given.pop("type", None)
    types = [str(one) for one in (raw if isinstance(raw, list) else str(raw or "pass-fail").split())]
    validation = words(given.pop("validation", None))
    if validation and validation[0] not in ("default", "custom"):
        raise PackageError(f"{file}: validation: {validation[0]!r} is neither default nor custom")
    types += [one for one in ("interactive", "multi-pass") if one in validation and one not in types]
    if validation[:1] == ["custom"] and directory(root, "output_validator") is None:
        raise PackageError(f"{file}: validation: custom, and there is no output_validators/")
    return types


def _names(raw: object, root: Path) -> dict[str, str]:
    """The title in each language of the statement: the one that is given, or that of the statement."""
    given = {str(code): str(text) for code, text in raw.items()} if isinstance(raw, dict) else {}
    plain = str(raw) if raw is not None and not given else ""
    names = {}
    for code, path in find_statements(root, required=False).items():
        match = _TITLE.search(read_text(path)) if path.suffix == ".tex" else None
        names[code] = given.get(code) or (match[1].strip() if match else "") or plain or root.name
    return names or given or {"en": plain or root.name}


def _limits(raw: object, root: Path, old: bool, notes: list[str]) -> dict[str, Any]:
    given = dict(raw) if isinstance(raw, dict) else {}
    found = {key: given.pop(key) for key in sorted(_LIMITS & given.keys()) if given[key] is not None}
    for key in ("memory", "output", "code", "compilation_memory", "validation_memory", "validation_output"):
        if is_number(found.get(key)):
            found[key] = max(1, round(found[key]))
    found.setdefault("memory", _MEMORY)
    factors = found.get("time_multipliers") or {}
    if not isinstance(factors, dict):
        notes.append(f"problem.yaml: limits.time_multipliers: {factors!r} is no mapping")
        factors = {}
    for name, new in (("time_multiplier", "ac_to_time_limit"), ("time_safety_margin", "time_limit_to_tle")):
        value = given.pop(name, None)
        if is_number(value):
            factors.setdefault(new, max(1.0, float(value)))
    if old:
        factors = {"ac_to_time_limit": 5.0, "time_limit_to_tle": 2.0} | factors
    found["time_multipliers"] = {
        key: factors[key] for key in ("ac_to_time_limit", "time_limit_to_tle") if key in factors
    }
    if "time_limit" not in found and (limit := _beside(root)) is not None:
        found["time_limit"] = limit
    notes += [f"problem.yaml: limits.{key}: has no meaning here" for key in sorted(map(str, given))]
    return found


def _beside(root: Path) -> float | None:
    """The time limit that tools of contests keep beside the package: ``.timelimit`` or ``domjudge-problem.ini``."""
    file = root / TIME_LIMIT
    text = read_text(file).strip() if file.is_file() else ""
    ini = root / "domjudge-problem.ini"
    if not text and ini.is_file():
        reader = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            reader.read_string("[problem]\n" + read_text(ini))
        except configparser.Error as error:
            raise PackageError(f"{ini}: {' '.join(str(error).split())[:160]}") from None
        text = reader.get("problem", "timelimit", fallback="").strip("'\" ")
    try:
        value = float(text) if text else 0.0
    except ValueError:
        raise PackageError(f"{file if file.is_file() else ini}: {text[:40]!r} is not a number of seconds") from None
    return value if value > 0 else None


# The names of a directory in the current format -> those of earlier ones.
_EARLIER: Final = {
    "statement": ("problem_statement",),
    "output_validator": ("output_validators",),
    "input_validators": ("input_format_validators", "input_validator"),
}


def directory(root: Path, name: str) -> Path | None:
    """A directory of a package by its current name, or by an earlier one; None: it has neither."""
    return next((root / one for one in (name, *_EARLIER.get(name, ())) if (root / one).is_dir()), None)


_MODES: Final = ("sum", "avg", "min", "max")
# What decides only how much is run, or what is shown.
_SILENT: Final = frozenset({"on_reject", "grading", "reject_score", "run_samples", "objective", "full_feedback"})
_ARGUMENTS: Final = ("args", "output_validator_args", "input_validator_args")


class _Node(Struct):
    """A directory: its own test points, and the directories below it."""

    name: str
    settings: Arguments
    accept: float = 1.0
    """Points of an accepted test point."""
    mode: str = "sum"
    most: float | None = None
    """The upper end of its own ``range``; None: it has none."""
    cases: tuple[Case, ...] = ()
    inner: list[_Node] = []  # msgspec copies it

    @property
    def full(self) -> float:
        """The points of a submission that passes everything."""
        if self.most is not None:
            return self.most
        scores = [self.accept] * len(self.cases) + [node.full for node in self.inner]
        if not scores:
            return 0.0
        if self.mode in ("sum", "avg"):
            return math.fsum(scores) / (len(scores) if self.mode == "avg" else 1)
        return min(scores) if self.mode == "min" else max(scores)

    def all_cases(self) -> tuple[Case, ...]:
        found = [*self.cases, *(case for node in self.inner for case in node.all_cases())]
        return tuple(sorted(found, key=lambda case: case.id))


def read_groups(root: Path, scoring: bool, notes: list[str]) -> list[PointGroup]:
    """The samples and the groups of ``data/secret``: a tree of directories, each with a ``testdata.yaml`` for a grader.

    Where scores are summed, each branch is a group of its own; below that everything is one group, which gives its
    points for the worst of its test points or the mean of them. Raises: PackageError.
    """
    place = root / "data"
    top = _with_file(_Node("", Arguments()), place, notes)
    groups: list[PointGroup] = []
    if (place / "sample").is_dir():
        cases = _read_node(place / "sample", "sample", top, notes).all_cases()
        if cases:
            groups.append(PointGroup("sample", cases, visible=True))
    if not (place / "secret").is_dir():
        raise PackageError(f"{place / 'secret'}: missing; it must contain the hidden test points")
    secret = _read_node(place / "secret", "secret", top, notes)
    cases = secret.all_cases()
    if not cases:
        raise PackageError(f"{place / 'secret'}: no test points; a test point is a file .in with its .ans")
    if not scoring:
        return [*groups, PointGroup("secret", cases, 100.0)]
    return [*groups, *_branches(secret, notes)]


def _branches(node: _Node, notes: list[str]) -> list[PointGroup]:
    if node.mode == "sum" and node.inner:
        found = [group for inner in node.inner for group in _branches(inner, notes)]
        if node.cases:
            alone = structs.replace(node, inner=[], most=None)
            found.insert(0, _as_group(alone, notes))
        return found
    return [_as_group(node, notes)] if node.all_cases() else []


def _as_group(node: _Node, notes: list[str]) -> PointGroup:
    if node.mode == "max":
        notes.append(f"data/{node.name}: the best score of a group counts there, here the worst")
    mode = "sum" if node.mode in ("sum", "avg") else "min"
    return PointGroup(node.name, node.all_cases(), node.full, mode)  # type: ignore[arg-type]


def _read_node(place: Path, name: str, above: _Node, notes: list[str]) -> _Node:
    node = _with_file(_Node(name, above.settings, above.accept, above.mode), place, notes)
    node.cases = read_cases(place, name, node.settings, descend=False, notes=notes)
    for path in sorted(place.iterdir()):
        if path.is_dir() and NAME.fullmatch(path.name) and not path.name.endswith(".files"):
            node.inner.append(_read_node(path, f"{name}/{path.name}", node, notes))
    return node


def _with_file(node: _Node, place: Path, notes: list[str]) -> _Node:
    """The node with what the file in its directory says."""
    file = next((place / one for one in (OLD_GROUP_FILE, GROUP_FILE) if (place / one).is_file()), None)
    if file is None:
        return node
    given = read_yaml(file, notes)
    for old, new in (("output_validator_flags", _ARGUMENTS[1]), ("input_validator_flags", _ARGUMENTS[2])):
        if old in given:
            given[new] = _arguments(given.pop(old), by_program=new == _ARGUMENTS[2])
    arguments = {key: given.pop(key) for key in _ARGUMENTS if key in given}
    node.settings = convert(arguments, Arguments, str(file)).below(node.settings)
    _grade(node, given)
    known = {"accept_score", "range", "grader_flags", "max_score", "score_aggregation", *_SILENT}
    notes += [f"data/{node.name or '.'}: {key} has no meaning here" for key in sorted(given.keys() - known)]
    return node


def _arguments(raw: object, *, by_program: bool) -> Any:
    """Arguments as a list, or for input validators as lists by the program's name."""
    if not isinstance(raw, dict):
        return words(raw)
    if set(raw) == {"name", "flags"}:
        return {str(raw["name"]): words(raw["flags"])} if by_program else words(raw["flags"])
    if by_program:
        return {str(name): words(flags) for name, flags in raw.items()}
    return [word for flags in raw.values() for word in words(flags)]


def _grade(node: _Node, given: dict[str, Any]) -> None:
    accept = given.get("accept_score", given.get("max_score"))
    if accept is not None and is_number(accept):
        node.accept = float(accept)
    flags = words(given.get("grader_flags")) + words(given.get("score_aggregation"))
    node.mode = next((flag for flag in reversed(flags) if flag in _MODES), node.mode)
    ends = words(given.get("range"))
    try:
        most = float(ends[-1]) if len(ends) == 2 else math.inf
    except ValueError:
        most = math.inf
    if is_number(given.get("max_score")):
        most = float(given["max_score"])
    if math.isfinite(most) and most >= 0:
        node.most = most
