"""What a reader is: one class per log format. The registry lists them in order of detection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from .logfile import LogFile
from .model import Source, Trajectory


class Reader:
    """Reads one log format, which is recognised by content only, never by a file's name.

    A reader reports what it cannot use through :meth:`LogFile.skip` (the registry copies the reports to every
    trajectory) and raises nothing but :class:`~rigorbench.session.logfile.LogError` on damaged input.
    """

    format: str
    marks: tuple[bytes, ...] = ()
    """What every log of the format has one of in its head; that is looked for first, since it is quick."""
    not_read: frozenset[str] = frozenset()
    """Records, tables and files that are known to be there, and of which a session needs nothing."""

    def matches(self, log: LogFile) -> bool:
        """Whether this log (file or directory) is of this format, judged by ``head*`` or the directory's entries."""
        if not any(mark in log.head for mark in self.marks):
            return False
        if any(isinstance(value, dict) and self.is_record(value) for value in log.head_objects):
            return True
        return isinstance(log.head_document, dict) and self.is_record(log.head_document)

    def is_record(self, value: dict[str, Any]) -> bool:
        """Whether a line, or the whole document, is of this format and of no other."""
        raise NotImplementedError

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        """The sessions in the log, in order."""
        raise NotImplementedError

    def owner(self, path: Path) -> Path:
        """The log that a file found in a directory belongs to: itself, or the session whose sub-agent wrote it.

        Called only for files whose content matched. A sub-agent's file names its main session here, so that it is read
        once, as a lane of that session.
        """
        return path


class LineSession(Protocol):
    """The reading of one session, record by record."""

    def record(self, record: dict[str, Any], source: Source) -> None: ...

    def trajectory(self) -> Trajectory | None:
        """At the end of the log; None: no record was one of a session."""


class LineReader(Reader):
    """Reads a log of JSON objects, one a line."""

    session: Callable[[LogFile], LineSession]

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session = self.session(log)
        for number, value in log.json_objects():
            session.record(value, Source(log.name, number))
        found = session.trajectory()
        return [] if found is None else [found]


Nested = Callable[[Path], Iterator[tuple[str, Callable[[], list[Trajectory]]]]]
"""The logs of any format under a directory: the format of each, and what reads its sessions (or raises LogError)."""


class ContainerReader(Reader):
    """Reads a directory that contains logs of other formats."""

    def read_container(self, log: LogFile, nested: Nested) -> Iterable[Trajectory]:
        """The sessions in the directory, in order. The registry calls this in place of :meth:`read`."""
        raise NotImplementedError
