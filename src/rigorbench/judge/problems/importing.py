"""Import: a package of Polygon is written in our layout, one of the Kattis formats is copied.

A package is a directory, or a ZIP archive of an unknown author.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from . import polygon
from .files import new_directory, walk
from .problem import PackageError
from .published import VERSION, version
from .yamlfile import dump_yaml, read_yaml

Source = Literal["polygon", "kattis"]
# The file by which each kind of package is recognised.
_MARKERS: Final[dict[Source, str]] = {"polygon": polygon.MARKER, "kattis": "problem.yaml"}
_LARGEST: Final = 2 << 30
_MOST: Final = 50_000


def import_package(path: Path, destination: Path, source: Source | None = None) -> list[str]:
    """Write the package at `path` (a directory or a ZIP archive) to `destination`, a new directory.

    `source`: kind of the package; None: recognised by its files. Returns: what could not be converted, one line each.
    Raises: PackageError: the package is of neither kind, damaged, or cannot be judged here; or `destination` exists.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="rigor-import-") as temporary, new_directory(destination) as draft:
            place = path if path.is_dir() else _unpack(path, Path(temporary))
            # At the top, or in the only directory that has the file.
            found: dict[Source, Path] = {}
            for kind, marker in _MARKERS.items():
                inner = [entry for entry in sorted(place.iterdir()) if (entry / marker).is_file()]
                roots = [place] if (place / marker).is_file() else inner
                if len(roots) == 1 and source in (None, kind):
                    found[kind] = roots[0]
            if source is None and len(found) != 1:
                names = [_MARKERS[kind] for kind in found or _MARKERS]
                how = f"{' and '.join(names)} are" if found else f"none of {', '.join(names)} is"
                raise PackageError(f"{path}: {how} in it; name the kind with --from {', '.join(_MARKERS)}")
            if not found:
                raise PackageError(f"{path}: no {_MARKERS[source or 'kattis']} in it; is this a package of that kind?")
            if "polygon" in found:
                return polygon.convert_polygon(found["polygon"], draft)
            file = found["kattis"] / "problem.yaml"
            values = read_yaml(file)
            current = version(values, str(file)) == VERSION
            for name, original in walk(found["kattis"]):
                target = draft / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(original, target)
                target.chmod(0o755 if original.stat().st_mode & 0o100 else 0o644)
            if current and values.get("build") is None:
                # One limit for all languages, as earlier versions have anyway.
                one = {"*": 1}
                values["build"] = {"time_multipliers": one, "memory_multipliers": one}
                dump_yaml(draft / "problem.yaml", values)
            return []
    except OSError as error:
        raise PackageError(f"{error.filename or path}: {error.strerror or error}") from None


def set_time_limit(package: Path, seconds: float) -> None:
    """Write the time limit of a package that has none. Raises: PackageError, OSError."""
    values = read_yaml(package / "problem.yaml")
    limits = values.get("limits")
    values["limits"] = {**(limits if isinstance(limits, dict) else {}), "time_limit": seconds}
    dump_yaml(package / "problem.yaml", values)


def _unpack(path: Path, place: Path) -> Path:
    """Unpack a ZIP archive with limits, into `place`. Raises: PackageError."""
    if not path.is_file():
        raise PackageError(f"{path}: no such file or directory")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            # No more of an entry is read than the size that the archive declares.
            if len(entries) > _MOST or sum(entry.file_size for entry in entries) > _LARGEST:
                raise PackageError(f"{path}: more than {_MOST} entries, or unpacks to more than {_LARGEST >> 30} GiB")
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
                    shutil.copyfileobj(source, file)
                if entry.external_attr >> 16 & 0o111:
                    target.chmod(0o755)
    except PackageError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise PackageError(f"{path}: not a ZIP archive that can be read: {error}") from None
    return place
