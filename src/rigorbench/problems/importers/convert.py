"""Packages of other systems made packages of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from ..model import PackageError
from . import acmoj, acmoj_config, polygon
from .unpack import holds
from .write import NewProblem, write_package

Source = Literal["polygon", "acmoj"]
SOURCES: Final[tuple[Source, ...]] = ("polygon", "acmoj")


def import_package(path: Path, destination: Path, source: Source | None = None) -> NewProblem:
    """Write the package at ``path`` (a directory or a ZIP archive) to ``destination``, which must not be there.

    ``source``: what it is; None: told by its files. Returns what was written; its ``lost`` says what could not be
    carried over.

    Raises:
        PackageError: it is neither, is damaged, or of a kind that cannot be judged here.
    """
    if source is None:
        found = [
            name
            for name, marker in (("polygon", polygon.MARKER), ("acmoj", acmoj_config.MARKER))
            if holds(path, marker)
        ]
        if len(found) != 1:
            how = "both problem.xml and config.json are" if found else "neither problem.xml nor config.json is"
            raise PackageError(f"{path}: {how} in it; say what it is with --from polygon or --from acmoj")
        source = "polygon" if found == ["polygon"] else "acmoj"
    if destination.exists() or destination.is_symlink():
        raise PackageError(f"{destination}: is there already; name a directory that is not")

    def write(problem: NewProblem) -> None:
        write_package(problem, destination)

    try:
        return (polygon.read_polygon if source == "polygon" else acmoj.read_acmoj)(path, write)
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None
