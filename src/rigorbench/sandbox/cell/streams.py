"""What a program reads, and what is kept of what it writes."""

from __future__ import annotations

import fcntl
import os
import stat

from .spec import CellError

_PIECE = 64 << 10


def readable(source: int | bytes | None) -> int:
    """A new descriptor to be given to a program as something to read.

    A file is given as a sealed copy in memory: the original could be opened again through /proc for writing where the
    program has our own user, and its path (the test's name) would show there.
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
    """A new descriptor for one of `Run.files`: what can only be read as by `readable`, others as they are."""
    reads = fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
    return readable(file) if reads else os.dup(file)


class Capture:
    """The reading end of a program's standard output or error. Keeps ``most`` bytes, counts all."""

    def __init__(self, most: int, owner: int | None) -> None:
        self.kept = bytearray()
        self.seen = 0
        self._most = most
        self.file, self.theirs = os.pipe()
        os.set_blocking(self.file, False)
        if owner is not None:
            os.fchown(self.theirs, owner, owner)  # or it could not open /dev/stdout

    def passed(self) -> None:
        if self.theirs >= 0:
            os.close(self.theirs)
            self.theirs = -1

    def read(self) -> bool:
        """Take what is there (a piece). False: nothing is left and nobody will write any more."""
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
        """Take all that is left, once every writer is gone (whatever a pipe still holds is little)."""
        while True:
            before = self.seen
            if not self.read() or self.seen == before:
                return

    @property
    def over(self) -> bool:
        return self.seen > self._most

    def close(self) -> None:
        self.passed()
        os.close(self.file)
