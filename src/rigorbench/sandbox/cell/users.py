"""The unprivileged user of a slot's programs, when root makes the cells: no two judges share one."""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
from pathlib import Path
from typing import Final

from .spec import CellError, CellSpec

ROLES: Final = ("submission", "compiler", "checker", "interactor")
_FIRST: Final = 61500  # above accounts and the bench's agent, inside what a container usually maps
_SETS: Final = 900  # of one user for each role
_lock = threading.Lock()
_claimed: dict[int, dict[int, tuple[int, int]]] = {}  # process -> slot -> (number of the set, its locked file)


def uid(spec: CellSpec) -> int:
    """The user of a slot and role, the same for the life of this process and meanwhile no other process's.

    Raises:
        CellError: so many judges are working that no user is left, or the claim cannot be recorded.
    """
    with _lock:
        slots = _claimed.setdefault(os.getpid(), {})
        if spec.slot not in slots:
            slots[spec.slot] = _claim({number for number, _ in slots.values()})
        return _FIRST + slots[spec.slot][0] * len(ROLES) + ROLES.index(spec.role)


def _claim(ours: set[int]) -> tuple[int, int]:
    """A free set of users. The kernel releases the claim when this process ends, however it ends."""
    directory = _directory()
    try:
        for number in range(_SETS):
            if number in ours:
                continue
            file = os.open(directory / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                continue
            return number, file
    except OSError as error:
        raise CellError(f"{error.filename}: users for programs cannot be claimed: {error.strerror}") from None
    raise CellError(f"{_SETS} slots are in use by judges on this machine: wait for one to end")


def _directory() -> Path:
    """A directory that belongs to root."""
    for parent in (Path("/run"), Path(tempfile.gettempdir())):
        directory = parent / "rigor-judge-users"
        try:
            directory.mkdir(mode=0o700, exist_ok=True)
        except OSError:
            continue
        status = directory.lstat()
        if status.st_uid == os.geteuid() and status.st_mode & 0o22 == 0 and not directory.is_symlink():
            return directory
    raise CellError("no directory to claim users in: make /run/rigor-judge-users, owned by root, mode 0700")
