"""What a reader is. One module per log format; the registry in ``__init__`` lists them in order of detection."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from .logfile import LogFile
from .model import Trajectory


class Reader(Protocol):
    """Reads one log format. Detection looks at content only, never at the file's name.

    A reader fills ``Trajectory.skipped`` from ``log.skipped`` (the registry does it for every trajectory it returns)
    and never raises on damaged input except :class:`~rigorbench.trajectory.logfile.LogError`.
    """

    format: str

    def matches(self, log: LogFile) -> bool:
        """Whether this log (file, or directory) is of this format, judged from ``head*`` or the directory's entries."""

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        """The sessions in the log, in order."""

    def owner(self, path: Path) -> Path | None:
        """The log that ``path`` belongs to when a directory is walked: itself, a parent session, or None (no log).

        Called only for files whose content matched. Sub-agent files name their main session here, so that they are
        read once, as its lanes.
        """
