"""Appends to the journal of a run: one write per record, no exception for what is in it."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Any

import msgspec

from ...base import journal


def text(value: str | bytes) -> str:
    """A name from the kernel as JSON text: bytes that are not UTF-8 become U+FFFD."""
    data = value if isinstance(value, bytes) else os.fsencode(value)
    return data.decode("utf-8", "replace")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_clean(str(key)): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return float(value) if abs(value) < 2**1000 else None
    return value


class JournalWriter:
    """The open journal, locked (flock) as long as it is open: a process that moves the run waits for that."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed: str | None = None
        """Why a write failed (a full disk), else None."""
        self.lost = 0
        """How many records could not be written."""
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.size = os.fstat(self._fd).st_size
        """Bytes of the file."""
        self._encoder = msgspec.json.Encoder()

    def write(self, record: journal.JournalRecord) -> bool:
        """False: the record could not be written. The run continues, and a later Gap says what is missing."""
        if self._fd < 0:
            return False
        if self.lost and not self._append(self._line(self._lost_gap())):
            self.lost += 1
            return False
        self.lost = 0
        done = self._append(self._line(record))
        self.lost += not done
        return done

    def close(self) -> None:
        if self._fd >= 0:
            if self.lost:
                self._append(self._line(self._lost_gap()))
            os.close(self._fd)
            self._fd = -1

    def _lost_gap(self) -> journal.Gap:
        return journal.Gap(time.time(), "journal", f"{self.lost} records could not be written: {self.failed}")

    def _line(self, record: journal.JournalRecord) -> bytes:
        try:
            return self._encoder.encode(record) + b"\n"
        except (UnicodeEncodeError, OverflowError, TypeError, ValueError):
            pass
        try:
            return self._encoder.encode(_clean(msgspec.to_builtins(record))) + b"\n"
        except (UnicodeEncodeError, OverflowError, TypeError, ValueError, RecursionError) as error:
            why = f"a {type(record).__name__} record cannot be written as JSON: {type(error).__name__}"
            gap = journal.Gap(record.time, "journal", why)
            return self._encoder.encode(gap) + b"\n"

    def _append(self, line: bytes) -> bool:
        done = 0
        try:
            while done < len(line):
                done += os.write(self._fd, line[done:] if done else line)
        except OSError as error:
            self.failed = error.strerror
            if done:  # half a line would spoil the next one
                os.ftruncate(self._fd, self.size)
            return False
        self.size += len(line)
        return True
