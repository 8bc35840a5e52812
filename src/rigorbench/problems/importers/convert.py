"""Import: a package of another system is read and written in our layout."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from ..model import PackageError
from . import acmoj, acmoj_config, polygon
from .unpack import holds, opened
from .write import NewProblem, write_package

Source = Literal["polygon", "acmoj"]
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": polygon.MARKER, "acmoj": acmoj_config.MARKER}


def import_package(path: Path, destination: Path, source: Source | None = None) -> NewProblem:
    """Write the package at `path` (a directory or a ZIP archive) to `destination`.

    Args:
        destination: a new directory.
        source: kind of the package; None: recognised by its files.

    Returns:
        What was written; its ``lost`` lists what could not be converted.

    Raises:
        PackageError: the package is of neither kind, damaged, or cannot be judged here; or `destination` exists.
    """
    kind = source or _recognise(path)
    try:
        with opened(path, _MARKERS[kind]) as root:
            if kind == "polygon":
                problem = polygon.read_polygon(root)
            else:
                problem = acmoj.read_acmoj(root, (root if path.is_dir() else path).name.removesuffix(".zip"))
            write_package(problem, destination)
            return problem
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None


def _recognise(path: Path) -> Source:
    found = [kind for kind, marker in _MARKERS.items() if holds(path, marker)]
    if len(found) != 1:
        how = "both problem.xml and config.json are" if found else "neither problem.xml nor config.json is"
        raise PackageError(f"{path}: {how} in it; name the kind with --from polygon or --from acmoj")
    return found[0]
