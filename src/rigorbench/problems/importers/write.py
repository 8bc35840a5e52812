"""Writes a problem of another system as a package in the Kattis layout with our keys."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import uuid
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ..model import PackageError


class NewCase(Struct):
    """``answer`` None: there is none, an empty file is written."""

    input: bytes | Path
    answer: bytes | Path | None = None


class NewGroup(Struct):
    """``name`` is made a directory's name; ``requires``: names of earlier groups, or "sample"."""

    name: str
    full: int
    cases: list[NewCase]
    aggregation: str = "min"
    requires: list[str] = field(default_factory=list)


class NewProblem(Struct):
    """``header``: further keys of ``problem.yaml``. ``files``: path inside the package -> content. ``groups`` empty:
    a pass-fail problem with ``cases``. ``lost``: what could not be carried over, a line each."""

    name: dict[str, str]
    header: dict[str, Any] = field(default_factory=dict)
    samples: list[NewCase] = field(default_factory=list)
    cases: list[NewCase] = field(default_factory=list)
    groups: list[NewGroup] = field(default_factory=list)
    files: dict[str, bytes | Path] = field(default_factory=dict)
    submissions: dict[str, Any] = field(default_factory=dict)
    # Of a twin group: it has points, but no test points of its own.
    extra: int = 0
    lost: list[str] = field(default_factory=list)


def safe_name(text: str, default: str) -> str:
    """A name that the format allows, near to ``text``."""
    name = re.sub(r"[^a-zA-Z0-9_.-]+", "-", text).strip("-.")[:100]
    return name or default


def group_directories(groups: list[NewGroup]) -> dict[str, str]:
    """Directory of each group, by name: numbered, because the format takes groups in the order of their names."""
    width = len(str(len(groups)))
    return {
        group.name: f"{index:0{width}}-{safe_name(group.name, 'group')}" for index, group in enumerate(groups, start=1)
    }


def write_package(problem: NewProblem, destination: Path) -> None:
    """Raises: PackageError: the destination is there already, or cannot be written."""
    import yaml

    if destination.exists() or destination.is_symlink():
        raise PackageError(f"{destination}: is there already; name a directory that is not")
    destination.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{destination.name}-", dir=destination.parent))
    try:
        draft.chmod(0o755)
        _write(problem, draft, yaml.safe_dump)
        os.rename(draft, destination)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(problem: NewProblem, root: Path, dump: Any) -> None:
    def put(name: str, content: bytes | Path) -> None:
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, target)
            target.chmod(0o644)
        else:
            target.write_bytes(content)

    def yaml_file(name: str, value: Any) -> None:
        put(name, dump(value, sort_keys=False, allow_unicode=True, width=120).encode())

    def cases(place: str, found: list[NewCase]) -> None:
        width = max(2, len(str(len(found))))
        for index, case in enumerate(found, start=1):
            put(f"{place}/{index:0{width}}.in", case.input)
            put(f"{place}/{index:0{width}}.ans", b"" if case.answer is None else case.answer)

    names = problem.name
    header = {
        "problem_format_version": "2025-09",
        "uuid": str(uuid.uuid4()),
        "name": names["en"] if list(names) == ["en"] else names,
        **problem.header,
    }
    yaml_file("problem.yaml", header)
    if problem.samples:
        cases("data/sample", problem.samples)
    directories = group_directories(problem.groups)
    for group in problem.groups:
        place = f"data/secret/{directories[group.name]}"
        settings: dict[str, Any] = {"max_score": group.full, "score_aggregation": group.aggregation}
        requires = [name if name == "sample" else f"secret/{directories[name]}" for name in group.requires]
        if requires:
            settings["require_pass"] = requires
        yaml_file(f"{place}/test_group.yaml", settings)
        cases(place, group.cases)
    if problem.groups:
        yaml_file("data/secret/test_group.yaml", {"max_score": sum(g.full for g in problem.groups) + problem.extra})
    cases("data/secret", problem.cases)
    for name, content in problem.files.items():
        put(name, content)
    if problem.submissions:
        yaml_file("submissions/submissions.yaml", problem.submissions)
