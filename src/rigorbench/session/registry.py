"""Detection of log formats, and reading of logs whatever their format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path

from . import index
from .discovery import Discovery, FileTally, why_unknown
from .formats import FOLDERS, FORMATS, find_sessions
from .logfile import LogError, LogFile
from .model import Spawn, Trajectory
from .reader import ContainerReader, Reader

# How documents of some formats begin, without white space. Their readers are asked first: the others would search
# through much of a long document.
_OPENINGS = {b'{"schema_version":"ATIF': "atif", b'{"info":{"exit_status":': "mini_swe_agent"}


def readers() -> Iterator[Reader]:
    """Every reader, in order of detection; a module is imported only when the ones before it did not match."""
    for module in dict.fromkeys(f.module for f in FORMATS):
        yield from _readers_of(module)


@cache
def _readers_of(module: str) -> tuple[Reader, ...]:
    found: tuple[Reader, ...] = import_module(f".readers.{module}", __package__).READERS
    return found


def detect(log: LogFile) -> Reader | None:
    """The reader for this log, or None."""
    start = b"" if log.is_directory else log.head[:200].translate(None, b" \t\r\n")
    likely = next((name for opening, name in _OPENINGS.items() if start.startswith(opening)), None)
    for reader in chain(_readers_of(likely) if likely is not None else (), readers()):
        if type(reader).__name__ == log.reader if log.reader is not None else reader.matches(log):
            return reader
    return None


def discover(paths: Iterable[str], tally: FileTally | None = None) -> Iterator[LogFile | LogError]:
    """The logs named by files, directories, globs and "-" (standard input), each once, in a stable order.

    A file that the user names is always a log (of known format or not). In a directory, files of no known format are
    left out, and the parts of one log (sub-agent files, event files) count as that log. An input that cannot be used is
    yielded as its error, so that the others are still read. ``tally`` counts what yields no log.
    """
    names = list(paths)
    if not all(map(os.path.isfile, names)):  # single files are of a list that was made a moment ago
        index.forget()
    yield from Discovery(readers, detect, tally or FileTally()).logs(names)


# The modules of the readers whose logs are indexed, by the agent's name in the folders.
_INDEXED = {"claude": "claude_code", "codex": "codex", "opencode": "opencode"}


def user_logs(home: Path) -> list[tuple[str, Path, float]]:
    """(agent, log, last change in epoch seconds) of the sessions of a user; the files of one session are one log."""
    index.forget()
    found: dict[tuple[str, Path], float] = {}
    for agent, path, changed in find_sessions(FOLDERS, home):
        log = _readers_of(_INDEXED[agent])[0].owner(path) if agent in _INDEXED else path
        found[agent, log] = max(changed, found.get((agent, log), 0.0))
    return [(agent, path, changed) for (agent, path), changed in found.items()]


def read_log(log: LogFile) -> list[Trajectory]:
    """All sessions of one log.

    Raises:
        LogError: if the log is empty, of no known format, or contains no session.
    """
    if not log.is_directory and not log.head.strip(b"\x00 \t\r\n"):
        raise LogError(log.name, "is empty; nothing to read", line=1)
    reader = detect(log)
    if reader is None:
        raise LogError(log.name, why_unknown(log).reason, line=1)
    try:
        found = sessions(reader, log)
    except RecursionError:
        raise LogError(log.name, "is nested too deeply to be read; give the agent's own log file") from None
    if not found:
        raise LogError(log.name, f"contains no session ({reader.format}); nothing to score", line=1)
    for trajectory in found:
        shown = {step.lane for step in trajectory.steps}
        for call in (c for s in trajectory.steps for c in s.calls):
            if isinstance(call.action, Spawn) and call.action.lane not in shown:
                call.action.lane = None
                if call.result is not None and not call.result.is_error:
                    trajectory.usage_complete = False
        if not trajectory.skipped:
            trajectory.skipped = list(log.skipped)
            trajectory.unread += sum(part.lost for part in log.skipped)
        if trajectory.complete is None:
            if log.cut or log.last_cut or not any(step.role == "agent" for step in trajectory.steps):
                trajectory.complete = False
            elif trajectory.end is not None and not trajectory.unread:
                trajectory.complete = True
    return found


def read_path(path: str | os.PathLike[str]) -> list[Trajectory]:
    """All sessions of the log at a path (a file, or a directory that is one log).

    Raises:
        LogError: as `read_log`, or if there is nothing at the path.
    """
    name = os.fspath(path)
    if not Path(name).exists():
        raise LogError(name, "does not exist; check the path")
    index.forget()
    return read_log(LogFile(Path(name), name=name))


def sessions(reader: Reader, log: LogFile) -> list[Trajectory]:
    """The sessions that a reader finds in a log, which may be a directory with logs of other formats."""
    return list(reader.read_container(log, _nested) if isinstance(reader, ContainerReader) else reader.read(log))


def _nested(directory: Path) -> Iterator[tuple[str, Callable[[], list[Trajectory]]]]:
    for found in discover([str(directory)]):
        if isinstance(found, LogFile) and (reader := detect(found)) is not None:
            yield reader.format, partial(read_log, found)
