"""Directories of a running judge. Those of a judge that was killed are removed by the next one."""

from __future__ import annotations

import fcntl
import os
import tempfile
from itertools import count
from pathlib import Path

from ...sandbox.kit.trees import remove

_LOCK = "lock"


class Workspace:
    """A private directory of this judge, with a lock that is held as long as the judge lives."""

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir()) / f"rigor-judge-{os.getuid()}"
        base.mkdir(mode=0o700, exist_ok=True)
        if base.is_symlink() or base.stat().st_uid != os.getuid():
            # Somebody else made it: every user may write to the parent.
            base = Path(tempfile.mkdtemp(prefix="rigor-judge-"))
        # All under one lock: a directory that has no lock of its own yet must not be taken for a dead judge's.
        with (base / _LOCK).open("a") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            _remove_stale(base)
            # Programs see the name, so it tells nothing.
            self.root = Path(tempfile.mkdtemp(dir=base))
            self._lock = (self.root / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._numbers = count()

    def directory(self, name: str) -> Path:
        """A new empty directory that programs in a sandbox can read."""
        path = self.root / f"{next(self._numbers)}-{name}"
        path.mkdir()
        path.chmod(0o755)
        return path

    def close(self) -> None:
        remove(self.root)
        self._lock.close()


def _remove_stale(base: Path) -> None:
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
