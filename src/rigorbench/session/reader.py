"""What a reader is: one class per log format. The registry lists them in order of detection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .logfile import LogFile
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


Nested = Callable[[Path], Iterator[tuple[str, Callable[[], list[Trajectory]]]]]
"""The logs of any format under a directory: the format of each, and what reads its sessions (or raises LogError)."""


class ContainerReader(Reader):
    """Reads a directory that contains logs of other formats."""

    def read_container(self, log: LogFile, nested: Nested) -> Iterable[Trajectory]:
        """The sessions in the directory, in order. The registry calls this in place of :meth:`read`."""
        raise NotImplementedError
