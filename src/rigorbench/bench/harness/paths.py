"""Paths that a harness may place files at, and text files it brings."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from ..tasks.build_repo import LITTER_DIRECTORIES, LITTER_FILES
from .harness import HarnessError, PlacedFile

HOME = "~/"


def safe_path(value: str) -> str | None:
    """``value`` as a plain relative path; None: it leads elsewhere, or into git's own directory."""
    if not value or "\0" in value or "\\" in value or value.startswith("/"):
        return None
    parts = PurePosixPath(value).parts
    if not parts or ".." in parts or any(part.lower() == ".git" for part in parts):
        return None
    return "/".join(parts)


def read_text(path: Path, what: str) -> str:
    """The text of a file; it is an error if the file is empty or no UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise HarnessError(f"{path}: {what}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise HarnessError(f"{path}: {what}: not a UTF-8 text file") from None
    if not text.strip():
        raise HarnessError(f"{path}: {what}: is empty")
    return text


def inside(base: Path, name: str, what: str) -> Path:
    """``base/name``, which must exist and be reached without a symbolic link."""
    path = base
    for part in PurePosixPath(name).parts:
        path = path / part
        if path.is_symlink():
            raise HarnessError(f"{path}: {what}: a symbolic link; links are not followed")
    if not path.exists():
        raise HarnessError(f"{path}: {what}: no such file")
    return path


def files_of(path: Path, target: str, what: str) -> list[PlacedFile]:
    """A file, or all files of a directory, as they are placed at ``target``."""
    if path.is_file():
        return [PlacedFile(target, path.read_bytes(), os.access(path, os.X_OK))]
    found = []
    for directory, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name not in LITTER_DIRECTORIES and name != ".git")
        for name in sorted([*names, *files]):
            file = Path(directory, name)
            if file.is_symlink():
                raise HarnessError(f"{file}: {what}: a symbolic link; links are not followed")
            if file.is_file() and name not in LITTER_FILES and not name.endswith(".pyc"):
                inside_target = f"{target}/{file.relative_to(path).as_posix()}"
                found.append(PlacedFile(inside_target, file.read_bytes(), os.access(file, os.X_OK)))
    if not found:
        raise HarnessError(f"{path}: {what}: contains no file")
    return found


def write(root: Path, file: PlacedFile) -> None:
    """Write a placed file below ``root``; it can neither leave that directory nor replace a file."""
    name = safe_path(file.path)
    if name is None:
        raise HarnessError(f"{file.path}: leads out of its directory")
    target = root
    for part in PurePosixPath(name).parts[:-1]:
        target = target / part
        if target.is_symlink() or (target.exists() and not target.is_dir()):
            raise HarnessError(f"{target}: is in the way of the harness's file {file.path}")
    target = target / PurePosixPath(name).name
    if target.is_symlink() or target.exists():
        raise HarnessError(f"{target}: exists already; a harness replaces no file")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.data)
    target.chmod(0o755 if file.executable else 0o644)
