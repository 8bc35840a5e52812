"""Reader of a recorded run: the journal that a witness outside the agent's sandbox wrote, and the trees beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...journal import JOURNAL, SCHEMA
from ...logfile import LogFile
from ...model import Trajectory

FORMAT = "rigor-capture"
_FIRST_BYTES = 4096


class CaptureReader:
    """A run's directory (``journal.jsonl`` and ``store.git``), or the journal alone.

    The directory is one log as a whole: neither its object store nor the agent's own log under ``session/`` is another.
    """

    format = FORMAT

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            assert log.path is not None
            journal = log.path / JOURNAL
            return journal.is_file() and _begins_a_run(LogFile(journal))
        return _begins_a_run(log)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        from .run import read_run

        yield from read_run(log)

    def owner(self, path: Path) -> Path | None:
        return path


def _begins_a_run(log: LogFile) -> bool:
    if SCHEMA.encode() not in log.head[:_FIRST_BYTES]:
        return False
    first = next(iter(log.head_objects), None)
    return isinstance(first, dict) and first.get("type") == "run" and first.get("schema") == SCHEMA


READERS = (CaptureReader(),)
