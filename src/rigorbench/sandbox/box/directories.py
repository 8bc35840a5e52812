"""Directories for sandboxes that were given none, and what is left of sandboxes whose run was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
import time
from pathlib import Path

from ..kit import trees
from ..kit.errors import SandboxError
from . import groups

LOCK = "lock"
_YOUNG = 60.0  # seconds that a directory may have no lock because it is just being made


def base() -> Path:
    """The directory of this user for sandboxes, below the system's directory for temporary files.

    Raises:
        SandboxError: another user made it.
    """
    directory = Path(tempfile.gettempdir()) / f"rigor-sandboxes-{os.geteuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    status = directory.lstat()
    if status.st_uid != os.geteuid() or not stat.S_ISDIR(status.st_mode) or status.st_mode & 0o077:
        raise SandboxError(f"{directory} is not this user's alone: remove it, or set TMPDIR to another directory")
    return directory


def new() -> Path:
    """A new directory for one sandbox."""
    return Path(tempfile.mkdtemp(dir=base()))


def hold(directory: Path) -> int:
    """Mark a directory as in use for as long as the returned file is open (by children as well)."""
    file = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def _unused(directory: Path) -> bool:
    try:
        file = os.open(directory / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return time.time() - directory.stat().st_mtime > _YOUNG
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True


def remove_left_over(name: str | None = None) -> list[Path]:
    """Remove the directories (or the one called ``name``) and control groups whose supervisor has ended."""
    removed: list[Path] = []
    for directory in base().iterdir():
        if name is None or directory.name == name:
            with contextlib.suppress(FileNotFoundError):  # another process is cleaning up as well
                if _unused(directory):
                    trees.remove(directory)
                    removed.append(directory)
    if name is None:
        removed += groups.clear_left_over()
    return removed
