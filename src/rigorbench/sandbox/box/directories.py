"""Directories of sandboxes that have none of their own, and what is left of those whose run was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

from .. import cgroups
from ..errors import SandboxError

LOCK = "lock"
_YOUNG = 60.0  # seconds in which a directory may be without its lock, because it is just being made


def base() -> Path:
    """Of this user, under the system's directory for temporary files.

    Raises:
        SandboxError: somebody else made it.
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
    """Mark a directory as in use for as long as the returned file is open (also by children)."""
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
    """Remove the directories (or the one called ``name``) and control groups that no warden holds any more."""
    removed: list[Path] = []
    for directory in base().iterdir():
        if name is None or directory.name == name:
            with contextlib.suppress(FileNotFoundError):  # somebody else is cleaning up, too
                if _unused(directory):
                    remove(directory)
                    removed.append(directory)
    if name is None:
        removed += [group for group in cgroups.left_over() if cgroups.clear(group)]
    return removed


def remove(directory: Path) -> None:
    """Remove a directory and all in it, also what was made unreadable. What cannot be removed stays.

    The sandbox must have ended: nobody may change the tree meanwhile.
    """
    shutil.rmtree(directory, ignore_errors=True)
    if directory.exists():
        for path, directories, _ in os.walk(directory):
            for name in directories:
                inner = os.path.join(path, name)
                if not os.path.islink(inner):
                    with contextlib.suppress(OSError):
                        os.chmod(inner, 0o700)
        shutil.rmtree(directory, ignore_errors=True)


def now() -> float:
    return time.time()
