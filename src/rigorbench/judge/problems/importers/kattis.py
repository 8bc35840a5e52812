"""Packages of the Kattis formats: they can be used as they are, so a copy is made, with Kattis' rules written down."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from ..files import new_directory, walk
from ..published import VERSION, version
from ..yamlfile import dump_yaml, read_table

MARKER: Final = "problem.yaml"


def copy_package(root: Path, destination: Path) -> list[str]:
    """Copy a package to `destination`; a current one gets one limit for all languages, as earlier ones have anyway.

    Raises:
        PackageError: it is of no known version, or `destination` exists.
        OSError: it cannot be written.
    """
    file = root / MARKER
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
    file = package / MARKER
    limits = read_table(file, str(file)).take("limits")
    _change(package, {"limits": {**(limits if isinstance(limits, dict) else {}), "time_limit": seconds}})


def _change(package: Path, values: dict[str, Any]) -> None:
    file = package / MARKER
    table = read_table(file, str(file))
    dump_yaml(file, {key: table.take(key) for key in table} | values)
