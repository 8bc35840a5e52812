"""A file of JSON lines that several processes append to and that survives being cut off at any byte."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from .files import sync_directory

T = TypeVar("T")


class Lines(Generic[T]):
    """One record a line. A record is written in full or not at all: each is one locked write, synced to disk.

    A line that cannot be read is reported in :attr:`damaged` and stays in the file; the others still count.
    """

    def __init__(self, path: Path, kind: type[T]) -> None:
        self.path = path
        self._decoder = msgspec.json.Decoder(kind)
        self._encoder = msgspec.json.Encoder()
        self._reset()

    def _reset(self) -> None:
        self._records: list[T] = []
        self._tail: T | None = None
        self._damaged: list[str] = []
        self._torn: str | None = None
        self._offset, self._line, self._inode = 0, 0, -1
        # Increases when the file is read from its beginning again.
        self.generation = getattr(self, "generation", 0) + 1

    @property
    def damaged(self) -> list[str]:
        """A message with the line number for each line that cannot be read."""
        return [*self._damaged, *([self._torn] if self._torn else [])]

    def records(self) -> list[T]:
        """All records in the order of the file, including those that other processes have added meanwhile."""
        self._refresh()
        return self.taken()

    def taken(self) -> list[T]:
        """The records that have been read so far."""
        return [*self._records, self._tail] if self._tail is not None else self._records

    def append(self, *records: T) -> None:
        """Raises: OSError when the file cannot be written."""
        with self.locked() as descriptor:
            self.write(descriptor, *records)

    @contextlib.contextmanager
    def locked(self) -> Iterator[int]:
        """The open file, locked against all other writers: to read, decide and write in one step."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)

    def write(self, descriptor: int, *records: T) -> None:
        """Append under :meth:`locked`."""
        data = b"".join(self._encoder.encode(record) + b"\n" for record in records)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            # A writer was killed in the middle of a line: it ends here, and ours begins on the next.
            data = b"\n" + data
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
        if not size:
            sync_directory(self.path.parent)

    def _refresh(self) -> None:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if self._inode != -1:
                self._reset()
            return
        try:
            # Not every file system has locks; a line read in the middle of being written then counts as torn for now.
            with contextlib.suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_SH)
            self.take_in(descriptor)
        finally:
            os.close(descriptor)

    def take_in(self, descriptor: int) -> None:
        """Read what was appended since the last time."""
        found = os.fstat(descriptor)
        if found.st_ino != self._inode or found.st_size < self._offset:
            self._reset()
            self._inode = found.st_ino
        data = b""
        while chunk := os.pread(descriptor, 1 << 24, self._offset + len(data)):
            data += chunk
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            for line in whole.split(b"\n"):
                self._line += 1
                self._take(line)
            self._offset += len(whole) + 1
        self._tail, self._torn = None, None
        if rest.strip():
            try:
                self._tail = self._decoder.decode(rest)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                self._torn = f"{self.path}:{self._line + 1}: cut off (a writer was killed); this record is not counted"

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            self._records.append(self._decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            reason = " ".join(str(error).split())[:160]
            self._damaged.append(f"{self.path}:{self._line}: not counted: {reason}")
