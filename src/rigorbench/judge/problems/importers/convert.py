"""Import: a package of another system is read and written in our layout; one of the Kattis formats is copied."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final, Literal

from ..files import new_directory, walk
from ..problem import PackageError
from ..published import VERSION, version
from ..yamlfile import dump_yaml, read_table
from . import polygon
from .unpack import holds, opened

Source = Literal["polygon", "kattis"]
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": polygon.MARKER, "kattis": "problem.yaml"}


def import_package(path: Path, destination: Path, source: Source | None = None) -> list[str]:
    """Write the package at `path` (a directory or a ZIP archive) to `destination`.

    Args:
        destination: a new directory.
        source: kind of the package; None: recognised by its files.

    Returns:
        What could not be converted, one line each.

    Raises:
        PackageError: the package is of neither kind, damaged, or cannot be judged here; or `destination` exists.
    """
    kind = source or _recognise(path)
    try:
        with opened(path, _MARKERS[kind]) as root:
            if kind == "kattis":
                return _copy_package(root, destination)
            problem = polygon.read_polygon(root)
            polygon.write_package(problem, destination)
            return problem.lost
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None


def _recognise(path: Path) -> Source:
    found = [kind for kind, marker in _MARKERS.items() if holds(path, marker)]
    if len(found) != 1:
        names = [_MARKERS[kind] for kind in found or _MARKERS]
        how = f"{' and '.join(names)} are" if found else f"none of {', '.join(names)} is"
        raise PackageError(f"{path}: {how} in it; name the kind with --from {', '.join(_MARKERS)}")
    return found[0]


def _copy_package(root: Path, destination: Path) -> list[str]:
    """Copy a package to `destination`; a current one gets one limit for all languages, as earlier ones have anyway.

    Raises:
        PackageError: it is of no known version, or `destination` exists.
        OSError: it cannot be written.
    """
    file = root / "problem.yaml"
    table = read_table(file, str(file))
    current = version(table) == VERSION
    with new_directory(destination) as draft:
        for inside, path in walk(root):
            target = draft / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
        if current and table.take("build") is None:
            one = {"*": 1}
            _change(draft, {"build": {"time_multipliers": one, "memory_multipliers": one}})
    return []


def set_time_limit(package: Path, seconds: float) -> None:
    """Write the time limit of a package that has none. Raises: PackageError, OSError."""
    file = package / "problem.yaml"
    limits = read_table(file, str(file)).take("limits")
    _change(package, {"limits": {**(limits if isinstance(limits, dict) else {}), "time_limit": seconds}})


def _change(package: Path, values: dict[str, Any]) -> None:
    file = package / "problem.yaml"
    table = read_table(file, str(file))
    dump_yaml(file, {key: table.take(key) for key in table} | values)
