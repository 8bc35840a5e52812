"""Import: a package of Polygon is written in our layout, one of the Kattis formats is copied.

A package is a directory, or a ZIP archive of an unknown author.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal

from . import polygon
from .files import new_directory, walk
from .problem import PackageError
from .published import VERSION, version
from .yamlfile import dump_yaml, read_table

Source = Literal["polygon", "kattis"]
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": polygon.MARKER, "kattis": "problem.yaml"}
_LARGEST: Final = 2 << 30
_MOST: Final = 50_000
_CHUNK: Final = 1 << 20


def import_package(path: Path, destination: Path, source: Source | None = None) -> list[str]:
    """Write the package at `path` (a directory or a ZIP archive) to `destination`, a new directory.

    Args:
        source: kind of the package; None: recognised by its files.

    Returns:
        What could not be converted, one line each.

    Raises:
        PackageError: the package is of neither kind, damaged, or cannot be judged here; or `destination` exists.
    """
    if source is None:
        found = [kind for kind, marker in _MARKERS.items() if _holds(path, marker)]
        if len(found) != 1:
            names = [_MARKERS[kind] for kind in found or _MARKERS]
            how = f"{' and '.join(names)} are" if found else f"none of {', '.join(names)} is"
            raise PackageError(f"{path}: {how} in it; name the kind with --from {', '.join(_MARKERS)}")
        source = found[0]
    try:
        with opened(path, _MARKERS[source]) as root, new_directory(destination) as draft:
            if source == "polygon":
                return polygon.convert_polygon(root, draft)
            file = root / "problem.yaml"
            table = read_table(file)
            current = version(table) == VERSION
            for name, original in walk(root):
                target = draft / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(original, target)
                target.chmod(0o755 if original.stat().st_mode & 0o100 else 0o644)
            if current and table.take("build") is None:
                # One limit for all languages, as earlier versions have anyway.
                one = {"*": 1}
                _change(draft, {"build": {"time_multipliers": one, "memory_multipliers": one}})
            return []
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None


def set_time_limit(package: Path, seconds: float) -> None:
    """Write the time limit of a package that has none. Raises: PackageError, OSError."""
    limits = read_table(package / "problem.yaml").take("limits")
    _change(package, {"limits": {**(limits if isinstance(limits, dict) else {}), "time_limit": seconds}})


def _change(package: Path, values: dict[str, Any]) -> None:
    table = read_table(package / "problem.yaml")
    dump_yaml(package / "problem.yaml", {key: table.take(key) for key in table} | values)


@contextlib.contextmanager
def opened(path: Path, marker: str) -> Iterator[Path]:
    """The directory of a package that contains the file `marker`: `path` or its only such subdirectory.

    A ZIP archive is unpacked to a temporary directory, which is removed after the block.

    Raises:
        PackageError: there is no marker, or the archive is damaged, too large, or has paths that lead outside.
    """
    with tempfile.TemporaryDirectory(prefix="rigor-import-") as temporary:
        place = path
        if not path.is_dir():
            place = Path(temporary)
            if not path.is_file():
                raise PackageError(f"{path}: no such file or directory")
            try:
                with zipfile.ZipFile(path) as archive:
                    _unpack(archive, path, place)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
                raise PackageError(f"{path}: not a ZIP archive that can be read: {error}") from None
        found = [place] if (place / marker).is_file() else _inner(place, marker)
        if len(found) != 1:
            raise PackageError(f"{place}: no {marker} in it; is this a package of that kind?")
        yield found[0]


def _holds(path: Path, marker: str) -> bool:
    """Whether a directory or archive contains a file of that name, at the top or in its only subdirectory with one."""
    if path.is_dir():
        return (path / marker).is_file() or len(_inner(path, marker)) == 1
    try:
        with zipfile.ZipFile(path) as archive:
            names = [PurePosixPath(name.replace("\\", "/")) for name in archive.namelist()]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False
    return any(name.name == marker and len(name.parts) <= 2 for name in names)


def _inner(place: Path, marker: str) -> list[Path]:
    return [entry for entry in sorted(place.iterdir()) if entry.is_dir() and (entry / marker).is_file()]


def _unpack(archive: zipfile.ZipFile, path: Path, place: Path) -> None:
    """Unpack with limits. Bytes are counted as they are read: the sizes that an archive declares may be wrong."""
    entries = archive.infolist()
    if len(entries) > _MOST:
        raise PackageError(f"{path}: more than {_MOST} entries")
    left = _LARGEST
    for entry in entries:
        name = PurePosixPath(entry.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or "\0" in entry.filename or ":" in str(name).split("/")[0]:
            raise PackageError(f"{path}: its entry {entry.filename!r} leads outside; repack it")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise PackageError(f"{path}: its entry {entry.filename!r} is a link; repack it without links")
        if not name.parts or entry.is_dir() or entry.filename.endswith("\\"):
            continue
        target = place.joinpath(*name.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as source, target.open("xb") as file:
            while data := source.read(_CHUNK):
                left -= len(data)
                if left < 0:
                    raise PackageError(f"{path}: unpacks to more than {_LARGEST >> 30} GiB")
                file.write(data)
        if entry.external_attr >> 16 & 0o111:
            os.chmod(target, 0o755)
