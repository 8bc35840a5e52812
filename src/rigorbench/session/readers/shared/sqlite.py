"""SQLite databases of agents, read without touching them."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from ...logfile import LogError, LogFile

# SQLite writes beside a database that it only reads: opening one in WAL mode creates or changes the ``-shm`` file, and
# the last reader may remove the ``-wal``. So a database with a log beside it is copied and the copy read; one without
# is opened as immutable, which neither locks nor writes.

_MAGIC = b"SQLite format 3\x00"
_CREATED = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?(\w+)")
_ATTEMPTS = 3
_MOST_COPIED = 1 << 30


def has_tables(log: LogFile, *names: str, column: bytes = b"") -> bool:
    """Whether a log is a database with these tables, and with a column of this name in one of them."""
    if not log.head.startswith(_MAGIC):
        return False

    def shown(schema: bytes) -> bool:
        return column in schema and {name.decode() for name in _CREATED.findall(schema)}.issuperset(names)

    return shown(log.head) or shown(_schema(log))


@lru_cache(maxsize=1)
def _schema(log: LogFile) -> bytes:
    try:
        with opened(log) as database:
            return "\n".join(str(row[0]) for row in database.execute("SELECT sql FROM sqlite_master")).encode()
    except LogError:
        return b""


@contextmanager
def opened(log: LogFile) -> Iterator[sqlite3.Connection]:
    """The database, for reading.

    Raises:
        LogError: if it cannot be read at all, here or in what is done with it.
    """
    try:
        with _connected(log) as database:
            yield database
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter if the schema itself is damaged
        raise LogError(log.name, f"is a database that cannot be read ({error}); copy it with its -wal file") from None
    except OSError as error:
        raise LogError(log.name, f"cannot be copied for reading ({error.strerror})") from None


@contextmanager
def _connected(log: LogFile) -> Iterator[sqlite3.Connection]:
    path, mode = log.plain_path, "mode=rw"
    with ExitStack() as stack:
        large = path is not None and path.stat().st_size > _MOST_COPIED
        if path is not None and (large or not _sides(path)):
            file, mode = path, "mode=ro&immutable=1"
            if large and _sides(path):
                log.skip(None, "too large to be copied; what its write-ahead log holds is left out")
        else:
            file = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rigor-"))) / "copy.db"
            if path is None:
                file.write_bytes(log.content())
            else:
                _copy_live(path, file)
        database = sqlite3.connect(f"file:{quote(str(file.resolve()))}?{mode}", uri=True)
        stack.enter_context(closing(database))
        # Text that is not UTF-8 is damage to report later, not a reason to stop.
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield database


def _copy_live(path: Path, copy: Path) -> None:
    """Copies a database in use. What a checkpoint moves meanwhile is also in the log, unless the log was restarted."""
    for _ in range(_ATTEMPTS):
        before = _log_header(path)
        shutil.copyfile(path, copy)
        for side in _sides(path):
            shutil.copyfile(side, copy.with_name(copy.name + side.name.removeprefix(path.name)))
        if _log_header(path) == before:
            return


def _log_header(path: Path) -> bytes:
    try:
        with path.with_name(path.name + "-wal").open("rb") as stream:
            return stream.read(32)
    except OSError:
        return b""


def _sides(path: Path) -> list[Path]:
    found = (path.with_name(path.name + suffix) for suffix in ("-wal", "-journal"))
    return [side for side in found if side.is_file() and side.stat().st_size]


def rows(database: sqlite3.Connection, log: LogFile, query: str, *values: str) -> list[Any]:
    """The rows as far as they can be read: a damaged page costs the rest of a table, not the session."""
    found: list[Any] = []
    try:
        for row in database.execute(query, values):
            found.append(row)
    except sqlite3.Error as error:
        log.skip(None, f"the database is damaged ({error}); read as far as it goes")
    return found


def json_value(data: Any) -> Any:
    """The JSON value in a column; None: it has none."""
    try:
        return orjson.loads(data) if isinstance(data, str | bytes) else None
    except orjson.JSONDecodeError:
        return None
