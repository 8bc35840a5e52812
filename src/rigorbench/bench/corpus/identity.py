"""The identity of a log: its path, the files it consists of, their size and time, and a digest of their content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

_CHUNK = 1 << 20


class Stamp(Struct, frozen=True):
    """Sum of the sizes of a log's files (bytes) and the latest time of change among them (nanoseconds)."""

    size: int
    mtime_ns: int


def stamp(path: Path, further: Iterable[str] = ()) -> Stamp:
    """The stamp of a log. ``further``: other files that belong to it, relative to its directory. Raises: OSError."""
    size = latest = 0
    for file in _files(path, further):
        found = file.stat()
        size += found.st_size
        latest = max(latest, found.st_mtime_ns)
    return Stamp(size, latest)


def digest(path: Path, further: Iterable[str] = ()) -> str:
    """SHA-256 of a log's content, in hexadecimal digits.

    For a single file it is what ``sha256sum`` prints. For several it is the SHA-256 of the lines that ``sha256sum``
    prints for them, in order of their names.

    Raises:
        OSError: one of the files cannot be read.
    """
    if not path.is_dir() and not further:
        return _of_file(path)
    found = sorted((os.path.relpath(file, path.parent), _of_file(file)) for file in _files(path, further))
    lines = "".join(f"{sha}  {name}\n" for name, sha in found)
    return hashlib.sha256(lines.encode(errors="surrogateescape")).hexdigest()


def _of_file(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _files(path: Path, further: Iterable[str]) -> Iterator[Path]:
    if path.is_dir():
        for directory, names, files in os.walk(path):
            names.sort()
            yield from (Path(directory, name) for name in sorted(files) if Path(directory, name).is_file())
    else:
        yield path
    yield from (path.parent / name for name in further)
