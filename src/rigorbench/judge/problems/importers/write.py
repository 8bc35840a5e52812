"""Writes a problem of another system as a package in the Kattis layout with our keys."""

from __future__ import annotations

import re
import shutil
import uuid
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from ..files import new_directory
from ..yamlfile import dump_yaml

# Content of the statement's file for a package without one.
NO_STATEMENT: Final = b"The package has no statement.\n"


class NewCase(Struct):
    """A test point: content, or the file with it. Without an answer an empty file is written."""

    input: bytes | Path
    answer: bytes | Path | None = None


class NewGroup(Struct):
    """A group of test points.

    Attributes:
        name: becomes part of the directory's name.
        full: its points.
        requires: names of earlier groups, or "sample".
    """

    name: str
    full: int
    cases: list[NewCase]
    aggregation: str = "min"
    requires: list[str] = field(default_factory=list)


class NewProblem(Struct):
    """A problem to be written.

    Attributes:
        name: title by language code.
        header: further keys of ``problem.yaml``.
        cases: hidden test points of a pass-fail problem, which has no `groups`.
        files: path in the package -> content, or the file with it.
        submissions: content of ``submissions.yaml``.
        lost: what could not be converted, one line each.
    """

    name: dict[str, str]
    header: dict[str, Any] = field(default_factory=dict)
    samples: list[NewCase] = field(default_factory=list)
    cases: list[NewCase] = field(default_factory=list)
    groups: list[NewGroup] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    submissions: dict[str, Any] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)


def safe_name(text: str, default: str) -> str:
    """`text` with only the characters that the format allows in names."""
    return re.sub(r"[^a-zA-Z0-9_.-]+", "-", text).strip("-.")[:100] or default


def group_directories(groups: list[NewGroup]) -> dict[str, str]:
    """Directory of each group, by name: numbered, because the format orders groups by name."""
    width = len(str(len(groups)))
    return {
        group.name: f"{index:0{width}}-{safe_name(group.name, 'group')}" for index, group in enumerate(groups, start=1)
    }


def case_names(count: int) -> list[str]:
    """The names of so many test points of a directory, in order: "01", "02", ..."""
    width = max(2, len(str(count)))
    return [f"{number:0{width}}" for number in range(1, count + 1)]


def write_package(problem: NewProblem, destination: Path) -> None:
    """Raises: PackageError: `destination` exists. OSError: it cannot be written."""
    with new_directory(destination) as draft:
        _write(problem, draft)


def _write(problem: NewProblem, root: Path) -> None:
    names = problem.name
    header = {
        "problem_format_version": "2025-09",
        "uuid": str(uuid.uuid4()),
        "name": names["en"] if list(names) == ["en"] else names,
        **problem.header,
    }
    dump_yaml(root / "problem.yaml", header)
    if problem.samples:
        _cases(root / "data/sample", problem.samples)
    directories = group_directories(problem.groups)
    for group in problem.groups:
        place = root / f"data/secret/{directories[group.name]}"
        settings: dict[str, Any] = {"max_score": group.full, "score_aggregation": group.aggregation}
        requires = [name if name == "sample" else f"secret/{directories[name]}" for name in group.requires]
        if requires:
            settings["require_pass"] = requires
        dump_yaml(place / "test_group.yaml", settings)
        _cases(place, group.cases)
    if problem.groups:
        total = sum(group.full for group in problem.groups)
        dump_yaml(root / "data/secret/test_group.yaml", {"max_score": total})
    _cases(root / "data/secret", problem.cases)
    for name, content in problem.files.items():
        _put(root / name, content)
    if problem.submissions:
        dump_yaml(root / "submissions/submissions.yaml", problem.submissions)


def _cases(place: Path, cases: list[NewCase]) -> None:
    for name, case in zip(case_names(len(cases)), cases, strict=True):
        _put(place / f"{name}.in", case.input)
        _put(place / f"{name}.ans", b"" if case.answer is None else case.answer)


def _put(target: Path, content: bytes | Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, target)
        target.chmod(0o644)
    else:
        target.write_bytes(content)
