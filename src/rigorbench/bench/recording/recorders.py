"""The recorder of each running sample: the object that writes its journal."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Protocol

import msgspec

from ...base.journal import JOURNAL, Record


class Recorder(Protocol):
    """A :class:`~rigorbench.sandbox.box.box.Box` is one. ``gone``: why nothing is recorded any more."""

    gone: str | None

    async def record(self, record: Record) -> None: ...

    async def snapshot(self, cause: str) -> str | None: ...


class HostJournal:
    """The journal of a run in a sandbox that is not ours; it contains only what the engine observes."""

    def __init__(self, directory: Path) -> None:
        """Raises: FileExistsError when the directory contains a journal already: two runs must not share one."""
        directory.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self.gone: str | None = None
        self._file = os.open(directory / JOURNAL, flags, 0o644)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    async def record(self, record: Record) -> None:
        if self._file >= 0:
            os.write(self._file, msgspec.json.encode(record) + b"\n")

    async def snapshot(self, cause: str) -> str | None:
        return None

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


# By the unique id of the running sample (TaskState.uuid, and `sample_id` of Inspect's hooks).
_RECORDERS: dict[str, Recorder] = {}


def set_recorder(sample: str, recorder: Recorder) -> None:
    _RECORDERS[sample] = recorder


def recorder_of(sample: str | None) -> Recorder | None:
    """The recorder of a running sample; None: it is not one of our runs."""
    return _RECORDERS.get(sample) if sample is not None else None


def forget_recorder(sample: str) -> None:
    _RECORDERS.pop(sample, None)
