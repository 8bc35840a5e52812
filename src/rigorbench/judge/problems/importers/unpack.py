"""Access to packages of other systems: a directory, or a ZIP archive of an unknown author."""

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

from ..files import within
from ..problem import PackageError

_LARGEST: Final = 2 << 30
_MOST: Final = 50_000
_CHUNK: Final = 1 << 20


@contextlib.contextmanager
def opened(path: Path, marker: str) -> Iterator[Path]:
    """The directory of a package that contains the file `marker`: `path` or its only such subdirectory.

    A ZIP archive is unpacked to a temporary directory, which is removed after the block.

    Raises:
        PackageError: there is no marker, or the archive is damaged, too large, or has paths that lead outside.
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
    """Whether a directory or archive contains a file of that name, at the top or in its only subdirectory with one."""
    if path.is_dir():
        return (path / marker).is_file() or len(_inner(path, marker)) == 1
    try:
        with zipfile.ZipFile(path) as archive:
            names = [PurePosixPath(name.replace("\\", "/")) for name in archive.namelist()]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return False
    return any(name.name == marker and len(name.parts) <= 2 for name in names)


def inside(root: Path, name: str, where: str) -> Path:
    """A regular file that a package names; its path may have backslashes. Raises: PackageError."""
    path = within(root, name.replace("\\", "/"), where)
    if not path.is_file():
        raise PackageError(f"{where}: {name}: not a file")
    return path


def _root(place: Path, marker: str) -> Path:
    if (place / marker).is_file():
        return place
    found = _inner(place, marker)
    if len(found) != 1:
        raise PackageError(f"{place}: no {marker} in it; is this a package of that kind?")
    return found[0]


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
