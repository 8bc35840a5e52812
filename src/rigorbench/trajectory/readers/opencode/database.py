"""opencode's SQLite database, read without touching it.

SQLite writes beside a database that it only reads: opening one in WAL mode creates or changes the ``-shm`` file, and
the last reader may remove the ``-wal``. So a database with a log beside it is copied and the copy is read; one without
is opened as immutable, which neither locks nor writes.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from ...logfile import LogError, LogFile
from ...model import Source
from ..shared.values import string
from .steps import Message, Session, families

MAGIC = b"SQLite format 3\x00"
_TABLES = {"session", "message", "part"}
_ATTEMPTS = 3


def is_opencode_database(log: LogFile) -> bool:
    head = log.head
    if not head.startswith(MAGIC):
        return False
    if all(f"CREATE TABLE `{name}`".encode() in head for name in _TABLES):
        return True
    try:
        with _opened(log) as database:
            names = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except (sqlite3.Error, UnicodeDecodeError, OSError, LogError):
        return False
    return names >= _TABLES


def read_sessions(log: LogFile) -> Iterator[Session]:
    """The root sessions in order of creation, each with its sub-agents' sessions inside.

    Raises:
        LogError: if the database cannot be read at all.
    """
    try:
        with _opened(log) as database:
            yield from _sessions(database, log)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter if the schema itself is damaged
        raise LogError(log.name, f"is a database that cannot be read ({error}); copy it with its -wal file") from None
    except OSError as error:
        raise LogError(log.name, f"cannot be copied for reading ({error.strerror})") from None


def _sessions(database: sqlite3.Connection, log: LogFile) -> Iterator[Session]:
    columns = [row[1] for row in database.execute("PRAGMA table_info(session)")]
    order = "time_created, id" if "time_created" in columns else "id"
    found = _rows(database, log, f"SELECT * FROM session ORDER BY {order}")
    infos = [dict(zip(columns, row, strict=False)) for row in found]
    rows = [(string(info.get("id")), string(info.get("parent_id")), info) for info in infos]
    yield from families(rows, partial(_session, database, log))


def _session(database: sqlite3.Connection, log: LogFile, row: dict[str, Any]) -> Session:
    key = string(row.get("id"))
    info = {
        "id": key,
        "version": row.get("version"),
        "directory": row.get("directory"),
        "agent": row.get("agent"),
        "time": {"created": row.get("time_created")},
    }
    return Session(info, _messages(database, log, key), Source(log.name))


def _messages(database: sqlite3.Connection, log: LogFile, session: str) -> list[Message]:
    parts: dict[str, list[Any]] = {}
    query = "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id"
    for message, data in _rows(database, log, query, session):
        parts.setdefault(message, []).append(_json(data))
    found: list[Message] = []
    query = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for key, data in _rows(database, log, query, session):
        info = _json(data)
        if isinstance(info, dict):
            info.setdefault("id", key)
            found.append((info, parts.pop(key, [])))
        else:
            log.skip(None, f"message {key} is not a JSON object; skipped")
    for key in parts:
        log.skip(None, f"the parts of message {key}, which is missing; skipped")
    return found


def _rows(database: sqlite3.Connection, log: LogFile, query: str, *values: str) -> list[Any]:
    """The rows as far as they can be read: a damaged page costs the rest of a table, not the session."""
    found: list[Any] = []
    try:
        for row in database.execute(query, values):
            found.append(row)
    except sqlite3.Error as error:
        log.skip(None, f"the database is damaged ({error}); read as far as it goes")
    return found


def _json(data: Any) -> Any:
    try:
        return orjson.loads(data) if isinstance(data, str | bytes) else None
    except orjson.JSONDecodeError:
        return None


@contextmanager
def _opened(log: LogFile) -> Iterator[sqlite3.Connection]:
    path = log.path
    if path is None or log.head[:2] != b"SQ" or not _plain(path):
        with tempfile.TemporaryDirectory(prefix="rigor-") as folder:
            copy = Path(folder) / "opencode.db"
            copy.write_bytes(log.content())
            with _connected(copy, "mode=rw") as database:
                yield database
        return
    if not any(_size(_beside(path, suffix)) for suffix in ("-wal", "-journal")):
        with _connected(path, "mode=ro&immutable=1") as database:
            yield database
        return
    with tempfile.TemporaryDirectory(prefix="rigor-") as folder:
        copy = Path(folder) / "opencode.db"
        _copy_live(path, copy)
        with _connected(copy, "mode=rw") as database:
            yield database


def _plain(path: Path) -> bool:
    """Whether the file itself is the database (and not a compressed one)."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _copy_live(path: Path, copy: Path) -> None:
    """Copies a database in use. What a checkpoint moves meanwhile is also in the log, unless the log was restarted."""
    for _ in range(_ATTEMPTS):
        before = _log_header(path)
        shutil.copyfile(path, copy)
        for suffix in ("-wal", "-journal"):
            side = _beside(path, suffix)
            if _size(side):
                shutil.copyfile(side, _beside(copy, suffix))
        if _log_header(path) == before:
            return


def _log_header(path: Path) -> bytes:
    try:
        with _beside(path, "-wal").open("rb") as stream:
            return stream.read(32)
    except OSError:
        return b""


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?{mode}", uri=True)) as database:
        # Text that is not UTF-8 is damage to report later, not a reason to stop.
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield database
