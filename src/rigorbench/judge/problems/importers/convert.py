"""Import: a package of another system is read and written in our layout; one of the Kattis formats is copied."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from ..model import PackageError
from . import kattis, polygon
from .unpack import holds, opened
from .write import write_package

Source = Literal["polygon", "kattis"]
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": polygon.MARKER, "kattis": kattis.MARKER}


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
                return kattis.copy_package(root, destination)
            problem = polygon.read_polygon(root)
            write_package(problem, destination)
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
