"""The registry of log formats: detection by content, and discovery of logs under paths."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from .logfile import LogError, LogFile
from .model import Trajectory
from .reader import Reader

# In order of detection: the formats with the most telling marks first, the generic interchange formats last.
_MODULES = (
    "capture",
    "claude_code",
    "codex",
    "gemini",
    "qwen",
    "opencode",
    "copilot",
    "pi",
    "auggie",
    "openhands",
    "swe_agent",
    "mini_swe_agent",
    "trae",
    "cursor",
    "atif",
    "inspect",
    "aider",
)
_loaded: dict[str, tuple[Reader, ...]] = {}


def readers() -> Iterator[Reader]:
    """Every reader, in order of detection; a module is imported only when the ones before it did not match."""
    for name in _MODULES:
        if name not in _loaded:
            _loaded[name] = import_module(f".readers.{name}.reader", __package__).READERS
        yield from _loaded[name]


def detect(log: LogFile) -> Reader | None:
    """The reader for this log, or None."""
    for reader in readers():
        if _name(reader) == log.reader if log.reader is not None else reader.matches(log):
            return reader
    return None


def _name(reader: Reader) -> str:
    return type(reader).__name__


def read_log(log: LogFile) -> list[Trajectory]:
    """All sessions of one log.

    Raises:
        LogError: if the log is empty, of no known format, or yields no session.
    """
    if not log.is_directory and not log.head.strip(b"\x00 \t\r\n"):
        raise LogError(log.name, "is empty; nothing to read", line=1)
    reader = detect(log)
    if reader is None:
        raise LogError(log.name, "is not a known agent log; `rigor doctor --formats` lists what can be read", line=1)
    try:
        found = list(reader.read(log))
    except LogError:
        raise
    except RecursionError:
        raise LogError(log.name, "is nested too deeply to be read; give the agent's own log file") from None
    if not found:
        raise LogError(log.name, f"holds no session ({reader.format}); nothing to score", line=1)
    for trajectory in found:
        if not trajectory.skipped:
            trajectory.skipped = list(log.skipped)
    return found


def read_path(path: str | os.PathLike[str]) -> list[Trajectory]:
    """All sessions of the log at a path (a file, or a directory that is one log).

    Raises:
        LogError: as `read_log`, or there is nothing at the path.
    """
    name = os.fspath(path)
    if not Path(name).exists():
        raise LogError(name, "does not exist; check the path")
    return read_log(LogFile(Path(name), name=name))


def discover(paths: Iterable[str]) -> Iterator[LogFile | LogError]:
    """The logs named by files, directories, globs and "-" (standard input), each once, in a stable order.

    A file the user names is always a log (of known format or not); in a directory, files of no known format are left
    out, and the parts of one log (sub-agent files, event files) count as that log. An input that cannot be used is
    yielded as its error, so that the others still get done.
    """
    seen: set[str] = set()
    for name in paths:
        if name == "-":
            yield LogFile(None, content=_stdin())
            continue
        path = Path(name)
        if not path.exists():
            matched = sorted(glob.glob(name, recursive=True, include_hidden=True))
            if not matched:
                yield LogError(name, "does not exist; check the path, or quote the glob")
                continue
            for match in matched:
                yield from _expand(Path(match), seen, named=not Path(match).is_dir())
        else:
            yield from _expand(path, seen, named=True)


def _expand(path: Path, seen: set[str], *, named: bool) -> Iterator[LogFile | LogError]:
    if path.is_file():
        yield from _once(path, seen)
        return
    before = len(seen)
    yield from _walk(path, os.path.realpath(path), seen)
    if named and len(seen) == before and not _inside(path, seen):
        yield LogError(str(path), "holds no agent log; `rigor doctor --formats` lists what can be read")


def _inside(path: Path, seen: set[str]) -> bool:
    root = os.path.realpath(path)
    return any(other == root or other.startswith(root.rstrip(os.sep) + os.sep) for other in seen)


def _once(path: Path, seen: set[str], *, real: str | None = None, reader: str | None = None) -> Iterator[LogFile]:
    key = real if real is not None else os.path.realpath(path)
    if key not in seen:
        seen.add(key)
        yield LogFile(path, reader=reader)


def _walk(directory: Path, real: str, seen: set[str]) -> Iterator[LogFile | LogError]:
    """The logs under a directory; ``real`` is its path without links. One file at a time is open and looked at."""
    whole = LogFile(directory)
    for reader in readers():
        if reader.matches(whole):
            yield from _once(directory, seen, real=real, reader=_name(reader))
            return
    if _is_experiment(directory):
        # Its sessions are the runs; the engine's logs beside them tell of the same ones.
        yield from _walk(directory / "runs", os.path.join(real, "runs"), seen)
        return
    try:
        with os.scandir(directory) as listing:
            entries = sorted((e.name, e.is_dir(), e.is_symlink()) for e in listing if e.is_dir() or e.is_file())
    except OSError as error:
        yield LogError(str(directory), f"cannot be listed ({error.strerror}); check its permissions")
        return
    for name, is_directory, is_link in entries:
        path = directory / name
        if is_directory:
            if name != ".git" and not is_link:
                yield from _walk(path, os.path.join(real, name), seen)
            continue
        log = LogFile(path)
        try:
            found = detect(log)
        except LogError as error:
            yield error
            continue
        owner = found.owner(path) if found is not None else None
        if found is not None and owner is not None:
            if owner is path:
                place = None if is_link else os.path.join(real, name)
                yield from _once(path, seen, real=place, reader=_name(found))
            else:
                yield from _once(owner, seen)


def _is_experiment(directory: Path) -> bool:
    """Whether a directory is that of an experiment: its manifest says so, and there are runs."""
    manifest = directory / "manifest.json"
    if not manifest.is_file() or not (directory / "runs").is_dir():
        return False
    try:
        return b'"rigor-experiment/' in LogFile(manifest).head[:4096]
    except LogError:
        return False


def _stdin() -> bytes:
    from .logfile import _decompress

    return _decompress(sys.stdin.buffer.read(), None)[0]
