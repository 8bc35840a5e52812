"""Export to the plain Kattis 2025-09 layout: our keys become standard ones where there are any."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any, Final

from ..files import copy_readable
from . import RESOURCES
from .files import NAME, new_directory, walk
from .load import load_problem
from .metadata import KATTIS_LANGUAGES
from .problem import PackageError, Problem
from .verdicts import EXPECTED, KATTIS, ROWS
from .yamlfile import dump_yaml, read_text, read_yaml

_STANDARD: Final = frozenset(
    {
        "problem.yaml", "statement", "attachments", "solution", "data", "generators", "include", "submissions",
        "input_validators", "static_validator", "output_validator", "input_visualizer", "output_visualizer",
    }
)  # fmt: skip
# Our keys, and what is lost with them; "": the format says it in another way.
_OUR_KEYS: Final = {
    "chain": "the format has no runs that share a disk; each test point starts with an empty one",
    "sanitize": "the format has no sanitizers; these groups and their points are left out",
    "metric": "the format has no baselines; the raw value in score.txt is read as points",
    "floor": "the format has no limit for the starter's points",
    "feedback": "the format leaves it to the judge",
    "category": "the format has keywords only",
    "difficulty": "the format has keywords only",
    "starter": "the format does not tell a starter from other attachments",
    "exercise": "the format has keywords only",
    "hints": "the format has hints of single test points only",
    **dict.fromkeys(("checker", "build", "generated"), ""),
}
_OUR_LIMITS: Final = ("submissions", "disk", "files", "processes")
# The format's verdict for each name in submissions.yaml.
_VERDICTS: Final = {row.short: row.kattis for row in ROWS.values() if row.kattis} | {name: name for name in KATTIS}
# Our directories for which the format has a verdict but no directory, and those for which it has neither.
_LABELS: Final = {row.directory: row.kattis for row in ROWS.values() if row.kattis and not row.kattis_directory}
_NOT_KNOWN: Final = frozenset(ROWS[verdict].directory for verdict in EXPECTED if not ROWS[verdict].kattis)
_EXACT: Final = ("case_sensitive", "space_change_sensitive")


def export_package(path: Path, destination: Path) -> list[str]:
    """Write a package in the plain layout; returns what the format cannot express, one line each.

    Raises: PackageError: the package cannot be used, or the destination is there already.
    """
    problem = load_problem(path)
    file = path / "problem.yaml"
    if problem.earlier:
        raise PackageError(f"{file}: in an earlier version of the Kattis format already; there is nothing to export")
    lost: list[str] = []
    try:
        with new_directory(destination) as draft:
            _export(problem, draft, lost)
    except OSError as error:
        raise PackageError(f"{error.filename or destination}: {error.strerror or error}") from None
    if not re.fullmatch(r"[a-z0-9]+", destination.name):
        lost.append(f"{destination.name}: the format requires a directory name of lower-case letters and digits")
    return lost


def _export(problem: Problem, place: Path, lost: list[str]) -> None:
    tops: dict[str, None] = {}
    for inside, source in walk(problem.root):
        top = inside.parts[0]
        if top not in _STANDARD:
            tops[top] = None
        elif _left_out(inside):
            continue
        elif all(NAME.fullmatch(part) for part in inside.parts):
            copy_readable(source, place / inside)
    generated = problem.generated
    if generated is not None:
        for name in generated.hashes:
            shutil.copyfile(generated.place / name, place / "data" / name)
    lost += [f"{top}: not part of the format" for top in tops]
    _header(problem, place, lost)
    _attachments(problem, place)
    _hints(problem, place)
    _checker(problem, place, lost)
    _submissions(problem, place, lost)
    _points(problem, place)


def _left_out(inside: PurePosixPath) -> bool:
    """Whether the plain layout has no place for a file, or keeps its content elsewhere."""
    top, parts = inside.parts[0], inside.parts
    if top == "submissions":
        return len(parts) > 1 and parts[1] in _NOT_KNOWN
    if top == "attachments":
        return len(parts) > 2 and parts[1] != "templates"
    return top == "data" and inside.suffix in (".hint", ".desc")


def _raw(path: Path) -> dict[str, Any]:
    return read_yaml(path) if path.is_file() else {}


def _header(problem: Problem, place: Path, lost: list[str]) -> None:
    header = _raw(place / "problem.yaml")
    for key, why in _OUR_KEYS.items():
        if header.pop(key, None) is not None and why:
            lost.append(f"problem.yaml: {key}: {why}")
    limits = dict(header.pop("limits", None) or {})
    gone = [key for key in _OUR_LIMITS if limits.pop(key, None) is not None]
    lost += [f"problem.yaml: limits.{key}: the format has no such limit" for key in gone]
    if limits:
        header["limits"] = limits
    if "disk" in gone or problem.chains:
        header["allow_file_writing"] = True
    build = problem.build
    if build.languages and "languages" not in header:
        names = {ours: kattis for kattis, ours in KATTIS_LANGUAGES.items()}
        header["languages"] = [names.get(name, name) for name in build.languages]
    if build.kind not in ("source", "output-only"):
        lost.append(
            f"problem.yaml: build.kind {build.kind}: the format has single programs only; submissions will not build"
        )
    if problem.time_multipliers or problem.memory_multipliers:
        lost.append("problem.yaml: build: the format has no limits per language")
    dump_yaml(place / "problem.yaml", header)


def _attachments(problem: Problem, place: Path) -> None:
    """Put everything into one archive where there are directories, which the format does not allow."""
    root = problem.attachments
    if root is None or not any(entry.is_dir() and entry.name != "templates" for entry in root.iterdir()):
        return
    (place / "attachments").mkdir(exist_ok=True)
    with zipfile.ZipFile(place / "attachments" / "attachments.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, source in walk(problem.root):
            if inside.parts[0] == "attachments":
                # Without times, so that the same package gives the same archive.
                entry = zipfile.ZipInfo(str(PurePosixPath(*inside.parts[1:])))
                entry.external_attr = (0o755 if source.stat().st_mode & 0o100 else 0o644) << 16
                archive.writestr(entry, source.read_bytes())


def _hints(problem: Problem, place: Path) -> None:
    for group in problem.groups:
        for case in () if group.twin_of else group.cases:
            base = f"data/{case.id}"
            settings = _raw(place / f"{base}.yaml")
            described = problem.root / f"{base}.desc"
            if case.hint is not None and "hint" not in settings:
                settings["hint"] = case.hint
            if described.is_file() and "description" not in settings:
                settings["description"] = read_text(described).strip()
            if settings:
                dump_yaml(place / f"{base}.yaml", settings)


def _checker(problem: Problem, place: Path, lost: list[str]) -> None:
    checker = problem.checker
    if checker.contract == "testlib":
        if problem.interactor is not None:
            lost.append("problem.yaml: checker: a testlib interactor does not follow the format's contract; rewrite it")
            return
        program = problem.root / "output_validator"
        sources = [entry.name for entry in program.iterdir()] if program.is_dir() else []
        if not any(name.endswith((".cpp", ".cc", ".cxx")) for name in sources):
            lost.append("problem.yaml: checker.contract testlib: only C++ is translated to the format's contract")
            return
        shutil.copyfile(RESOURCES / "testlib_kattis.cpp", place / "output_validator" / "testlib_kattis.cpp")
        if "testlib.h" not in sources:
            shutil.copyfile(RESOURCES / "testlib.h", place / "output_validator" / "testlib.h")
        return
    if checker.compare is None or (checker.compare == "token" and not checker.options):
        return
    options = [word for word in " ".join(checker.options).split() if word != "presentation_error"]
    if options != " ".join(checker.options).split():
        lost.append("problem.yaml: checker.options presentation_error: becomes a wrong answer in the format")
    if checker.compare in ("exact", "binary", "line"):
        if checker.compare != "exact":
            lost.append(f"problem.yaml: checker.compare {checker.compare}: the closest in the format is token by token")
        options = list(_EXACT if checker.compare != "line" else _EXACT[:1])
    elif checker.compare == "float" and not any(word.startswith("float_") for word in options):
        options += ["float_tolerance", "1e-6"]
    # The directories of groups, or that of all test points where there are none.
    secret = place / "data" / "secret"
    groups = [entry for entry in sorted(secret.iterdir()) if (entry / "test_group.yaml").is_file()]
    for path in [place / "data" / "sample", *(groups or [secret])]:
        if path.is_dir():
            settings = _raw(path / "test_group.yaml")
            settings["output_validator_args"] = options + list(settings.get("output_validator_args") or [])
            dump_yaml(path / "test_group.yaml", settings)


def _submissions(problem: Problem, place: Path, lost: list[str]) -> None:
    file = place / "submissions" / "submissions.yaml"
    gone = sorted({one.label for one in problem.submissions} & _NOT_KNOWN)
    lost += [f"submissions/{label}: the format has no such verdict; left out" for label in gone]
    found: dict[str, Any] = {}
    for pattern, entry in _raw(file).items():
        if pattern.split("/")[0] not in _NOT_KNOWN and isinstance(entry, dict):
            found[pattern] = {key: _translated(key, value) for key, value in entry.items()}
    labels = {one.label for one in problem.submissions}
    for label, verdict in _LABELS.items():
        if label in labels:
            found[label] = {"permitted": ["AC", verdict], "required": [verdict], **found.get(label, {})}
    if found:
        dump_yaml(file, found)


def _translated(key: str, value: Any) -> Any:
    if key in ("permitted", "required") and isinstance(value, (list, str)):
        names = [value] if isinstance(value, str) else value
        return list(dict.fromkeys(_VERDICTS[name] for name in names if name in _VERDICTS))
    if key == "language" and isinstance(value, str):
        return {ours: kattis for kattis, ours in KATTIS_LANGUAGES.items()}.get(value, value)
    if isinstance(value, dict):
        return {inner: _translated(inner, content) for inner, content in value.items()}
    return value


def _points(problem: Problem, place: Path) -> None:
    """Take the twin groups' points off the total: the format has no twins."""
    twins = sum(group.full for group in problem.groups if group.twin_of is not None)
    if twins:
        file = place / "data" / "secret" / "test_group.yaml"
        settings = _raw(file)
        settings["max_score"] = round(problem.full - twins)
        dump_yaml(file, settings)
