"""The rows of logs that were read before, so that a list of many sessions reads only what has changed."""

from __future__ import annotations

import contextlib
import os
import time
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ..base.cache import cache_directory
from ..base.files import read_json, replace_file
from ..base.version import __version__
from ..bench.corpus.identity import Stamp, stamp
from ..review.config import Config
from ..review.pages.summary import SessionRow

_SOURCES = frozenset((".py", ".toml", ".j2", ".css", ".js"))
# Files of configurations that nobody has used for so long are removed.
_KEPT_SECONDS = 60 * 24 * 3600.0


class _Entry(Struct):
    """The rows of a log. ``further``: other files of it, relative to its directory."""

    stamp: Stamp
    further: list[str]
    rows: list[SessionRow]


class _Stored(Struct):
    program: str
    logs: dict[str, _Entry] = field(default_factory=dict)


def cached_directory() -> Path:
    """Where rows and the last list are kept; it may be deleted at any time."""
    return cache_directory().with_name("sessions")


class RowCache:
    """Rows by the path, size and time of their log, for one configuration and one version of the program.

    What cannot be read or written is only slower: it raises nothing.
    """

    def __init__(self, config: Config) -> None:
        self._config = sha256(msgspec.json.encode(config, order="sorted")).hexdigest()[:16]
        self._read = config.reader is not None
        self._path = cached_directory() / f"rows-{self._config}.json"
        self._stored = read_json(self._path, _Stored) or _Stored("")
        if self._stored.program != _program():
            self._stored = _Stored(_program())
        self._changed = False

    def get(self, path: Path) -> list[SessionRow] | None:
        """The rows of a log; None: it was not read before, or has changed since."""
        entry = self._stored.logs.get(_key(path))
        if entry is None or entry.stamp != _stamp(path, entry.further):
            return None
        if self._read and any(row.overall is None for row in entry.rows):
            return None  # an answer of the reader may be there by now
        return entry.rows

    def state(self, path: Path) -> str | None:
        """What changes with a log, the configuration and the program; None: not known, or the log has just changed."""
        if self.get(path) is None:
            return None
        log = msgspec.json.encode(self._stored.logs[_key(path)].stamp).decode()
        return f"{self._stored.program} {self._config} {log}"

    def put(self, path: Path, before: Stamp | None, further: list[str], rows: list[SessionRow]) -> None:
        """Keeps the rows of a log. ``before``: its stamp before it was read; what changed meanwhile is not kept."""
        now = _stamp(path, further)
        if before is not None and now is not None and before == _stamp(path, []):
            self._stored.logs[_key(path)] = _Entry(now, further, rows)
            self._changed = True

    def save(self) -> None:
        """Writes what was put, without the logs that are gone."""
        if not self._changed:
            return
        self._stored.logs = {key: entry for key, entry in self._stored.logs.items() if os.path.exists(key)}
        with contextlib.suppress(OSError):
            replace_file(self._path, msgspec.json.encode(self._stored), 0o600)
            for other in self._path.parent.glob("rows-*.json"):
                if time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                    other.unlink()
        self._changed = False


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a log as it is now; None: it cannot be accessed."""
    return _stamp(path, [])


def _stamp(path: Path, further: list[str]) -> Stamp | None:
    try:
        return stamp(path, further)
    except OSError:
        return None


def _key(path: Path) -> str:
    return os.path.abspath(path)


def _program() -> str:
    """The version; in a checkout also when its files were last changed."""
    package = Path(__file__).parent.parent
    try:
        changed = max(f.stat().st_mtime_ns for f in package.rglob("*") if f.suffix in _SOURCES)
    except (OSError, ValueError):
        changed = 0
    return f"{__version__} {changed}"
