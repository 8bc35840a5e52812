"""Packages as they are published: the Kattis formats before 2025-09, read with the keys of the current one.

Nobody can correct somebody else's package, so what has no effect on judging or no meaning here is noted, not refused.
"""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path
from typing import Any, Final, Literal, get_args

from .files import TIME_LIMIT
from .problem import PackageError
from .statement import find_statements
from .yamlfile import is_number, read_text

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
