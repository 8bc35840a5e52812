"""One checked-out directory that is moved from tree to tree; only what differs is written.

Untrusted code runs in the directory between two moves, so nothing in it is trusted: every step goes through the handle
of the directory it is in, no symbolic link is followed, and a file counts as unchanged only if its whole status is the
one that it had when it was written (the kernel's time of change cannot be set back).
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from .store import DIRECTORY, LINK, SUBMODULE, Entry, Store, StoreError

# Names that no tree may hold: git itself refuses to check them out.
_FORBIDDEN = frozenset({"", ".", "..", ".git"})
# mode, size, modified, changed, inode
_Status = tuple[int, int, int, int, int]


class WorkTree:
    """A directory with one tree."""

    def __init__(self, store: Store, directory: Path) -> None:
        self.store = store
        self.path = directory
        directory.mkdir(parents=True)
        self._written: dict[str, tuple[Entry, _Status]] = {}
        self._clock = 0

    def switch(self, tree: str) -> None:
        """Make the directory's content exactly ``tree``: files that a run left or changed are corrected as well.

        Raises:
            StoreError: an object is missing, or the directory cannot be written.
        """
        self._clock += 1
        try:
            before, self._written = self._written, {}
            handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                self._level(handle, "", self.store.listing(tree), before)
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreError(f"a state cannot be checked out: {error}") from None

    def _level(
        self, handle: int, prefix: str, entries: dict[str, Entry], before: dict[str, tuple[Entry, _Status]]
    ) -> None:
        """Correct one directory, and those in it."""
        if not _FORBIDDEN.isdisjoint(entries) or any("/" in n or n.lower() == ".git" for n in entries):
            raise StoreError(f"a state has a file that may not be checked out (in {prefix or '.'})")
        present = set()
        with os.scandir(handle) as listing:
            found = [(e.name, e.stat(follow_symlinks=False)) for e in listing]
        for name, status in found:
            path, entry = prefix + name, entries.get(name)
            if stat.S_ISDIR(status.st_mode):
                if entry is not None and entry.mode in (DIRECTORY, SUBMODULE):
                    present.add(name)
                else:
                    shutil.rmtree(name, dir_fd=handle)
            elif entry is not None and before.get(path) == (entry, _status(status)):
                self._written[path] = before[path]
                present.add(name)
            else:
                os.unlink(name, dir_fd=handle)
        for name, entry in entries.items():
            path = prefix + name
            if entry.mode in (DIRECTORY, SUBMODULE):
                if name not in present:
                    os.mkdir(name, dir_fd=handle)
                below = self.store.listing(entry.sha) if entry.mode == DIRECTORY else {}
                self._inside(handle, name, path, below, before)
            elif name not in present:
                self._written[path] = entry, self._put(handle, name, entry)

    def _inside(
        self, handle: int, name: str, path: str, entries: dict[str, Entry], before: dict[str, tuple[Entry, _Status]]
    ) -> None:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
        try:
            self._level(inner, path + "/", entries, before)
        finally:
            os.close(inner)

    def _put(self, handle: int, name: str, entry: Entry) -> _Status:
        content = self.store.blob(entry.sha)
        if entry.mode == LINK:
            os.symlink(content, os.fsencode(name), dir_fd=handle)
            return _status(os.stat(name, dir_fd=handle, follow_symlinks=False))
        mode = 0o777 if int(entry.mode, 8) & 0o100 else 0o666
        with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=handle), "wb") as file:
            file.write(content)
            file.flush()
            self._age(file.fileno())
            return _status(os.fstat(file.fileno()))

    def _age(self, file: int | Path) -> None:
        """Give a rewritten file a time of its own.

        Python trusts its compiled files by size and whole second; two states within one second would be mixed up.
        """
        os.utime(file, (1_000_000_000 + self._clock, 1_000_000_000 + self._clock))

    def write(self, path: str, content: bytes) -> None:
        """Overwrite one file; the next :meth:`switch` restores it."""
        self._clock += 1
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes(content)
        self._age(target)


def _status(status: os.stat_result) -> _Status:
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
