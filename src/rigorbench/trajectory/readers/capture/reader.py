"""Reader of a recorded run: the journal that was written outside the agent's sandbox, and the trees beside it."""

from __future__ import annotations

from collections.abc import Iterator

from ...journal import JOURNAL, SCHEMA
from ...logfile import LogFile
from ...model import Trajectory
from ...reader import ContainerReader, NestedLogs

FORMAT = "rigor-capture"
_FIRST_BYTES = 4096


class CaptureReader(ContainerReader):
    """A run's directory (``journal.jsonl`` and ``store.git``), or the journal alone.

    The whole directory is one log: neither its object store nor the agent's own log under ``session/`` is another one.
    """

    format = FORMAT

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            assert log.path is not None
            journal = log.path / JOURNAL
            return journal.is_file() and _begins_a_run(LogFile(journal))
        return _begins_a_run(log)

    def read_container(self, log: LogFile, nested: NestedLogs) -> Iterator[Trajectory]:
        from .run import read_run

        yield from read_run(log, nested)


def _begins_a_run(log: LogFile) -> bool:
    if SCHEMA.encode() not in log.head[:_FIRST_BYTES]:
        return False
    first = next(iter(log.head_objects), None)
    return isinstance(first, dict) and first.get("type") == "run" and first.get("schema") == SCHEMA


READERS = (CaptureReader(),)
