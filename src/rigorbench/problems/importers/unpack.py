"""Packages of other systems, as a directory or a ZIP archive whose author nobody knows."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from ..model import PackageError

_LARGEST: Final = 2 << 30
_MOST: Final = 50_000
_CHUNK: Final = 1 << 20


@contextlib.contextmanager
def opened(path: Path, marker: str) -> Iterator[Path]:
    """The directory of a package that holds the file ``marker``: ``path`` itself, or what a ZIP archive holds, unpacked
    to a place that is removed afterwards. The marker may lie in the only directory of it.

    Raises:
        PackageError: it is neither, is damaged, too large, or names paths outside itself.
    """
    if path.is_dir():
        yield _root(path, marker)
        return
    if not path.is_file():
        raise PackageError(f"{path}: no such file or directory")
    with tempfile.TemporaryDirectory(prefix="rigor-import-") as place:
        try:
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, path, Path(place))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise PackageError(f"{path}: not a ZIP archive that can be read: {error}") from None
        yield _root(Path(place), marker)


def holds(path: Path, marker: str) -> bool:
    """Whether a package (directory or archive) holds a file of that name at its top, or in its only directory."""
    if path.is_dir():
        return (path / marker).is_file() or len(_inner(path, marker)) == 1
    try:
        with zipfile.ZipFile(path) as archive:
            names = [PurePosixPath(name.replace("\\", "/")) for name in archive.namelist()]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False
    return any(name.name == marker and len(name.parts) <= 2 for name in names)


def inside(root: Path, name: str, where: str) -> Path:
    """A file that a package names. Raises: PackageError: it is not there, or outside."""
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or not place.parts or "\0" in name:
        raise PackageError(f"{where}: {name!r} leads outside the package")
    path = root.joinpath(*place.parts)
    if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        raise PackageError(f"{where}: {name}: no such file in the package")
    return path


def _root(place: Path, marker: str) -> Path:
    if (place / marker).is_file():
        return place
    found = _inner(place, marker)
    if len(found) != 1:
        raise PackageError(f"{place}: there is no {marker} in it; is this a package of that kind?")
    return found[0]


def _inner(place: Path, marker: str) -> list[Path]:
    return [entry for entry in sorted(place.iterdir()) if entry.is_dir() and (entry / marker).is_file()]


def _unpack(archive: zipfile.ZipFile, path: Path, place: Path) -> None:
    """What an entry says about its own size is not believed: bytes are counted as they come."""
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
        if entry.is_dir() or entry.filename.endswith("\\") or not name.parts:
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
