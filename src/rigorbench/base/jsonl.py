"""A file of JSON lines that several processes append to and that survives being cut off at any byte."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from .decoding import decoder
from .files import sync_directory

T = TypeVar("T")


class Lines(Generic[T]):
    """One record a line. Records are written in full or not at all: in one locked write, synced to disk."""

    def __init__(self, path: Path, kind: type[T]) -> None:
        self.path = path
        self.damaged: list[str] = []
        """A message for each line that could not be read; it stays in the file, and the others count."""
        self._decode = decoder(kind).decode

    def records(self) -> list[T]:
        """All records in the order of the file; none where there is no file."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return []
        with file:
            # Not every file system has locks; a line read in the middle of being written then counts as torn for now.
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_SH)
            lines = file.read().split(b"\n")
        found: list[T] = []
        self.damaged = []
        for number, line in enumerate(lines, 1):
            try:
                found += [self._decode(line)] if line.strip() else []
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                why = f"not counted: {' '.join(str(error).split())[:160]}"
                if number == len(lines):  # it has no end
                    why = "cut off (a writer was killed); this record is not counted"
                self.damaged.append(f"{self.path}:{number}: {why}")
        return found

    def append(self, *records: T) -> None:
        """Raises: OSError when the file cannot be written."""
        data = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                # A writer was killed in the middle of a line: it ends here, and ours begins on the next.
                data = b"\n" + data
            while data:
                data = data[os.write(descriptor, data) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if not size:
            sync_directory(self.path.parent)
