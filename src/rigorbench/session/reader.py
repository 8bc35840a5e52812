"""What a reader is: one class per log format. The registry lists them in order of detection."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from .logfile import LogError, LogFile
from .model import Trajectory


class Reader:
    """Reads one log format, which is recognised by content only, never by a file's name.

    A reader reports what it cannot use through :meth:`LogFile.skip` (the registry copies the reports to every
    trajectory) and raises nothing but :class:`~rigorbench.session.logfile.LogError` on damaged input.
    """

    format: str

    def matches(self, log: LogFile) -> bool:
        """Whether this log (file or directory) is of this format, judged by ``head*`` or the directory's entries."""
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


class NestedLogs(Protocol):
    """Access to logs of any format inside a directory that is itself one log."""

    def find(self, directory: Path) -> Iterable[LogFile | LogError]:
        """The logs under ``directory``; one that cannot be used as its error."""

    def format_of(self, log: LogFile) -> str | None:
        """The format of one of them; None: not known."""

    def read(self, log: LogFile) -> list[Trajectory]:
        """All sessions of one of them.

        Raises:
            LogError: as `rigorbench.session.registry.read_log`.
        """


class ContainerReader(Reader):
    """Reads a directory that contains logs of other formats. The registry calls :meth:`read_container`."""

    def read_container(self, log: LogFile, nested: NestedLogs) -> Iterable[Trajectory]:
        """The sessions in the directory, in order; ``nested`` reads the logs in it."""
        raise NotImplementedError
