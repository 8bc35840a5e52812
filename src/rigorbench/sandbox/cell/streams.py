"""The input of a program, and what is kept of its output."""

from __future__ import annotations

import fcntl
import os
import stat

from .spec import CellError

_PIECE = 64 << 10


def readable(source: int | bytes | None) -> int:
    """A new descriptor that a program can only read from.

    A file becomes a sealed copy in memory: where the program has our own user it could open the original again for
    writing through /proc, and its path (the test's name) would show there.
    """
    if source is None:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    if isinstance(source, int):
        mode = os.fstat(source).st_mode
        if stat.S_ISDIR(mode):
            raise CellError("a directory cannot be given to a program as a descriptor: it leads out of the cell")
        if not stat.S_ISREG(mode):
            return os.dup(source)
    copy = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if isinstance(source, bytes):
            rest = memoryview(source)
            while rest:
                rest = rest[os.write(copy, rest) :]
        else:
            position = os.lseek(source, 0, os.SEEK_CUR)
            while sent := os.sendfile(copy, source, position, 1 << 30):
                position += sent
        seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
        fcntl.fcntl(copy, fcntl.F_ADD_SEALS, seals)
        return os.open(f"/proc/self/fd/{copy}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(copy)


def given(file: int) -> int:
    """A new descriptor for one of `Run.files`: as `readable` if it is read-only, else a duplicate."""
    reads = fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
    return readable(file) if reads else os.dup(file)


class StreamReader:
    """Reads a program's standard output or error: keeps ``most`` bytes, counts all."""

    def __init__(self, most: int, owner: int | None) -> None:
        self.kept = bytearray()
        self.seen = 0
        self._most = most
        self.file, self.theirs = os.pipe()
        os.set_blocking(self.file, False)
        if owner is not None:
            os.fchown(self.theirs, owner, owner)  # or it could not open /dev/stdout

    def passed(self) -> None:
        """The program has its end: close ours of that."""
        if self.theirs >= 0:
            os.close(self.theirs)
            self.theirs = -1

    def read(self) -> bool:
        """Read a piece. False: nothing is left and every writer has ended."""
        try:
            piece = os.read(self.file, _PIECE)
        except BlockingIOError:
            return True
        if not piece:
            return False
        self.seen += len(piece)
        room = self._most - len(self.kept)
        if room > 0:
            self.kept += piece[:room]
        return True

    def rest(self) -> None:
        """Read what the pipe still has, once every writer has ended."""
        while True:
            before = self.seen
            if not self.read() or self.seen == before:
                return

    @property
    def exceeded(self) -> bool:
        """Whether more was written than is kept."""
        return self.seen > self._most

    def close(self) -> None:
        self.passed()
        os.close(self.file)
