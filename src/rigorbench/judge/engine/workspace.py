"""Directories of a running judge. What a killed one left is removed by the next."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from itertools import count
from pathlib import Path

_LOCK = "lock"


class Workspace:
    """A private directory of this judge, with a lock in it that is held as long as the judge lives."""

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir()) / f"rigor-judge-{os.getuid()}"
        base.mkdir(mode=0o700, exist_ok=True)
        if base.is_symlink() or base.stat().st_uid != os.getuid():
            # Somebody else made it, in a place that all may write to.
            base = Path(tempfile.mkdtemp(prefix="rigor-judge-"))
        # The whole search under one lock: a directory that has no lock yet must not seem to be a dead judge's.
        with (base / _LOCK).open("a") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            _sweep(base)
            self.root = Path(tempfile.mkdtemp(dir=base, prefix=f"{os.getpid()}-"))
            self._lock = (self.root / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._numbers = count()

    def directory(self, name: str) -> Path:
        """A new empty directory that programs in a sandbox may look into."""
        path = self.root / f"{next(self._numbers)}-{name}"
        path.mkdir()
        path.chmod(0o755)
        return path

    def close(self) -> None:
        remove(self.root)
        self._lock.close()


def remove(directory: Path) -> None:
    """Remove a tree, also one whose owner took the permission to do so from its directories."""
    if os.geteuid() != 0:
        for path, names, _ in os.walk(directory):
            for name in names:
                inner = os.path.join(path, name)
                if not os.path.islink(inner):
                    os.chmod(inner, 0o700)
    shutil.rmtree(directory, ignore_errors=True)


def _sweep(base: Path) -> None:
    for old in base.iterdir():
        if not old.is_dir():
            continue
        try:
            with (old / _LOCK).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            pass
        except OSError:
            continue
        remove(old)
