"""What a log format is: its name, what people call it, what its logs state, and where its agent keeps them.

Each package ``readers/<agent>/`` declares its formats in ``__init__.py``, which imports nothing but this module. So no
reader is loaded to list the formats.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct


class LogFormat(Struct, frozen=True):
    """A log format as ``rigor doctor --formats`` and the table in ``docs/formats.md`` describe it.

    Attributes:
        id: the name of the format in scores and messages.
        title: one line for ``rigor doctor --formats``.
        files: which files are read (Markdown).
        tokens: the unit for which the log states token counts.
        exit_status: where the exit status of a command comes from.
        times: whether the log states times.
        subagents: where the steps of sub-agents are.
        extra: the optional dependency group that its reader needs.
    """

    id: str
    title: str
    files: str
    tokens: str
    exit_status: str
    times: str
    subagents: str
    extra: str | None = None


class SessionFolder(Struct, frozen=True):
    """Where an agent keeps the sessions of a user, by its own documentation and defaults.

    Attributes:
        agent: the name that ``rigor sessions --agent`` takes.
        globs: the session logs, relative to ``directory``.
        directory: relative to the home directory; None: the working directory.
        variable: an environment variable that names another directory.
        skipped: beginning of the names of files that are parts of another log.
        log_is_folder: the log is the folder of the file that the glob finds.
    """

    agent: str
    globs: tuple[str, ...]
    directory: str | None = None
    variable: str | None = None
    skipped: str | None = None
    log_is_folder: bool = False

    def base(self, home: Path) -> Path:
        """The directory that the globs start from."""
        moved = os.environ.get(self.variable) if self.variable is not None else None
        return Path(moved) if moved else home / self.directory if self.directory is not None else Path.cwd()

    def logs(self, home: Path) -> Iterator[tuple[Path, float]]:
        """The session logs in this folder: (path, time of last change in epoch seconds), in no particular order."""
        base = self.base(home)
        for pattern in self.globs:
            try:
                matches = list(base.glob(pattern))
            except OSError:
                continue
            for path in matches:
                if self.skipped is not None and path.name.startswith(self.skipped):
                    continue
                try:
                    changed = path.stat().st_mtime
                    log_of_database = path.with_name(path.name + "-wal")
                    if path.suffix == ".db" and log_of_database.exists():
                        changed = max(changed, log_of_database.stat().st_mtime)
                except OSError:
                    continue
                yield path.parent if self.log_is_folder else path, changed


def find_sessions(
    folders: Iterable[SessionFolder], home: Path, agent: str | None = None
) -> Iterator[tuple[str, Path, float]]:
    """(agent, log, time of last change in epoch seconds) of every session log of the user, in no particular order."""
    for folder in folders:
        if agent is None or agent == folder.agent:
            for path, changed in folder.logs(home):
                yield folder.agent, path, changed


def unreadable(folders: Iterable[SessionFolder], home: Path) -> list[Path]:
    """Directories that hold sessions, or folders of them, and that this user may not list."""
    found: dict[Path, None] = {}
    for folder in folders:
        base = folder.base(home)
        for pattern in folder.globs:
            parts = pattern.split("/")[:-1]
            for depth in range(len(parts) + 1):
                with suppress(OSError):  # below a directory that is in the list already
                    for directory in base.glob("/".join(parts[:depth])) if depth else [base]:
                        if directory.is_dir() and not os.access(directory, os.R_OK | os.X_OK):
                            found[directory] = None
    return list(found)
