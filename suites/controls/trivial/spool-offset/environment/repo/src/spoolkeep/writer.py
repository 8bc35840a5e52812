"""Appends records to a spool."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from .encoder import Encoder
from .errors import SpoolError
from .keys import KeyTable
from .segments import MAGIC, last_number, path_of


class Writer:
    """A spool open for writing. ``limit``: the size in bytes from which on a segment is full."""

    def __init__(self, spool: Path, limit: int = 1 << 20) -> None:
        if limit <= len(MAGIC):
            raise SpoolError(f"a segment of {limit} bytes has no room for records")
        spool.mkdir(parents=True, exist_ok=True)
        self.spool, self.limit = spool, limit
        self.number = last_number(spool)
        self.keys = KeyTable()
        self._encode = Encoder(self.keys).encode
        self._file: BinaryIO | None = None
        self.rotate()

    def append(self, record: Mapping[str, str]) -> None:
        """Append one record; it is on its way to the disk when this returns."""
        if not record:
            raise SpoolError("a record needs at least one field")
        file = self._open_file()
        if file.tell() >= self.limit:
            self.rotate()
            file = self._open_file()
        file.write(self._encode(record))
        file.flush()

    def rotate(self) -> Path:
        """Start a new segment, with keys of its own."""
        self.close()
        self.number += 1
        self.keys = KeyTable()
        path = path_of(self.spool, self.number)
        self._file = path.open("xb")
        self._file.write(MAGIC)
        return path

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open_file(self) -> BinaryIO:
        if self._file is None:
            raise SpoolError("the spool is closed")
        return self._file

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
