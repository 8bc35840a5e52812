"""To whom control groups and directories of cells belong, so that those of judges that were killed can be removed.

Programs see these names (``/proc/self/cgroup``, ``/proc/self/mountinfo``), so they contain a random word instead of a
process number. Each judge holds a lock on a file of that name, which the kernel releases however the judge ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

_lock = threading.Lock()
_own: tuple[int, str, int] | None = None  # process, word, the locked file


def word() -> str:
    """The word of this process."""
    global _own
    with _lock:
        if _own is None or _own[0] != os.getpid():
            found = secrets.token_hex(6)
            directory = _directory()
            with _guarded(directory):
                file = os.open(directory / found, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
                fcntl.flock(file, fcntl.LOCK_EX)
            _own = (os.getpid(), found, file)
        return _own[1]


def sweep(remove: Callable[[str], None]) -> None:
    """Call ``remove`` with the word of each judge of this user that has ended, and forget it."""
    word()  # which `remove` may ask for, and which takes the guard as well
    directory = _directory()
    with _guarded(directory):
        for name in os.listdir(directory):
            if name == "guard":
                continue
            with (directory / name).open("rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                remove(name)
                (directory / name).unlink()


@contextlib.contextmanager
def _guarded(directory: Path) -> Iterator[None]:
    """A file that nobody has locked yet must not be taken for a dead judge's."""
    with (directory / "guard").open("a") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield


def _directory() -> Path:
    directory = Path(tempfile.gettempdir()) / f"rigor-judge-owners-{os.getuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.is_symlink() or directory.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="rigor-judge-owners-"))  # somebody else made it
    return directory
