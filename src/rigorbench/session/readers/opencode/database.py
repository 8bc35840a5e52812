"""The SQLite databases of opencode, read without touching them.

Two generations of tables are in them, and both after a migration: ``session``, ``message`` and ``part``; from version 2
on ``session_v2`` and ``session_message``.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from ...index import Card, absolute, index_of, named_like
from ...logfile import LogError, LogFile
from ...model import Source
from ..shared.values import integer, mapping, objects, string
from .session import Message, OpencodeSession, families
from .version2 import message_of

MAGIC = b"SQLite format 3\x00"
_OLD, _NEW = ("session", "message", "part"), ("session_v2", "session_message")
# What these hold is no part of a session's work, or is in the tables above as well.
NOT_READ = frozenset(
    "project project_directory todo permission event event_sequence session_share session_input session_inbox "
    "session_context_epoch session_context session_instruction instruction_entry instruction_state account "
    "account_state control_account workspace worktree".split()
)
_ATTEMPTS = 3
_FORK = re.compile(r" \(fork #\d+\)$")
Info = dict[str, Any]


def is_opencode(log: LogFile) -> bool:
    """Whether a database has the tables of either generation."""
    if not log.head.startswith(MAGIC):
        return False
    if any(all(f"CREATE TABLE `{name}`".encode() in log.head for name in names) for names in (_OLD, _NEW)):
        return True
    try:
        with _opened(log) as database:
            return any(_tables(database) >= {*names} for names in (_OLD, _NEW))
    except (sqlite3.Error, UnicodeDecodeError, OSError, LogError):
        return False


def cards(path: Path) -> list[Card]:
    """The sessions in a database; of two with one session, that which was changed last is read."""
    try:
        with _opened(LogFile(path)) as database:
            infos = _infos(database, LogFile(path))
    except (sqlite3.Error, UnicodeDecodeError, OSError, LogError):
        return []
    changed = {string(i.get("id")): -float(integer(i.get("time_updated")) or 0) for i in infos}
    return [Card(name, order=order) for name, order in changed.items()]


def held_elsewhere(path: Path) -> dict[str, Path]:
    """The sessions of a database that are read from another one."""
    index, own = index_of(path, "opencode", cards), absolute(path)
    firsts = {card.thread: index.files(card.thread)[0] for card in index.cards.get(own, ())}
    return {thread: first for thread, first in firsts.items() if first != own}


def owner(path: Path) -> Path:
    """The database that a database is but a copy of; else itself."""
    elsewhere = held_elsewhere(path)
    index = index_of(path, "opencode", cards)
    whole = elsewhere and len(elsewhere) == len({c.thread for c in index.cards[absolute(path)]})
    return named_like(path, next(iter(elsewhere.values()))) if whole else path


def read_sessions(log: LogFile) -> Iterator[OpencodeSession]:
    """The root sessions in order of creation, each with its sub-agents' sessions inside.

    Raises:
        LogError: if the database cannot be read at all.
    """
    elsewhere = {} if log.path is None else held_elsewhere(log.path)
    try:
        with _opened(log) as database:
            for name in sorted(_unknown_tables(database)):
                log.skip(None, f"the table {name} is not known and not read")
            infos = _infos(database, log)
            by_id = {string(i.get("id")): i for i in infos}
            rows = [
                (string(i.get("id")), string(i.get("parent_id")), partial(_session, database, log, i, infos))
                for i in infos
                if _root(i, by_id) not in elsewhere
            ]
            yield from families(rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter if the schema itself is damaged
        raise LogError(log.name, f"is a database that cannot be read ({error}); copy it with its -wal file") from None
    except OSError as error:
        raise LogError(log.name, f"cannot be copied for reading ({error.strerror})") from None


def _tables(database: sqlite3.Connection) -> set[str]:
    return {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]


def _unknown_tables(database: sqlite3.Connection) -> set[str]:
    """Tables that hold something of sessions, by their columns, and that nobody has looked at."""
    others = {n for n in _tables(database) - {*_OLD, *_NEW} - NOT_READ if '"' not in n}
    return {name for name in others if {"session_id", "data"} <= {*_columns(database, name)}}


def _infos(database: sqlite3.Connection, log: LogFile) -> list[Info]:
    """The rows of the sessions, one for each; ``new``: it is in the table of version 2."""
    found: dict[str, Info] = {}
    for table in ("session", "session_v2"):
        columns = _columns(database, table)
        for row in _rows(database, log, f"SELECT * FROM {table}") if columns else ():
            info = {**dict(zip(columns, row, strict=False)), "new": table == "session_v2"}
            found[string(info.get("id"))] = info
    return sorted(found.values(), key=lambda info: (integer(info.get("time_created")) or 0, string(info.get("id"))))


def _root(info: Info, by_id: dict[str, Info]) -> str:
    """The topmost session that started one, directly or through others; its own id if none did."""
    seen = [string(info.get("id"))]
    while (parent := string(by_id[seen[-1]].get("parent_id"))) in by_id and parent not in seen:
        seen.append(parent)
    return seen[-1]


def _session(database: sqlite3.Connection, log: LogFile, row: Info, infos: list[Info]) -> OpencodeSession:
    """A session, without the messages of the session that it was forked from."""
    about: Info = {name: row.get(name) for name in ("id", "version", "directory", "agent")}
    about["time"] = {"created": row.get("time_created")}
    messages, continues = _messages(database, log, row), None
    for origin in _origins(row, infos):
        written = {_content(message) for message in _messages(database, LogFile(None, content=b""), origin)}
        own = [message for message in messages if _content(message) not in written]
        if len(own) < len(messages):
            messages, continues = own, string(origin.get("id"))
    return OpencodeSession(about, messages, Source(log.name), continues=continues)


def _origins(row: Info, infos: list[Info]) -> list[Info]:
    """The sessions that one may have been forked from: version 1 says it in the title only."""
    if row.get("fork_session_id"):
        return [info for info in infos if info.get("id") == row["fork_session_id"]]
    title = string(row.get("title"))
    if (base := _FORK.sub("", title)) == title:
        return []
    return [i for i in infos[: infos.index(row)] if _FORK.sub("", string(i.get("title"))) == base]


def _content(message: Message) -> bytes:
    """What a message and its copies have in common: all but their ids."""
    info, parts = message
    said = [(p.get("type"), p.get("text"), p.get("callID")) for p in objects(parts)]
    return orjson.dumps((info.get("role"), info.get("time"), info.get("tokens"), said))


def _messages(database: sqlite3.Connection, log: LogFile, row: Info) -> list[Message]:
    """The messages of a session: those of the newer table, and from the older ones what came before them."""
    key, tables = string(row.get("id")), _tables(database)
    old = _old_messages(database, log, key) if tables >= {*_OLD} else []
    new = _new_messages(database, log, key) if "session_message" in tables and (row["new"] or not old) else []
    ids, first = {info["id"] for info, _ in new}, min((_created(info) for info, _ in new), default=None)
    return [m for m in old if m[0]["id"] not in ids and (first is None or _created(m[0]) < first)] + new


def _created(info: Info) -> int:
    return integer(mapping(info.get("time")).get("created")) or 0


def _old_messages(database: sqlite3.Connection, log: LogFile, session: str) -> list[Message]:
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


def _new_messages(database: sqlite3.Connection, log: LogFile, session: str) -> list[Message]:
    found: list[Message] = []
    query = "SELECT id, type, data, time_created FROM session_message WHERE session_id = ? ORDER BY seq, id"
    for key, kind, data, created in _rows(database, log, query, session):
        value = _json(data)
        if not isinstance(value, dict):
            log.skip(None, f"message {key} is not a JSON object; skipped")
        elif (message := message_of(string(kind), {"time": {"created": created}, **value, "id": key})) is not None:
            found.append(message)
        elif not string(kind).endswith(("-switched", "-selected")):
            log.skip(None, f"messages of the type {string(kind)[:60]!r} are not known and not read")
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


# SQLite writes beside a database that it only reads: opening one in WAL mode creates or changes the ``-shm`` file, and
# the last reader may remove the ``-wal``. So a database with a log beside it is copied and the copy is read; one
# without is opened as immutable, which neither locks nor writes.


@contextmanager
def _opened(log: LogFile) -> Iterator[sqlite3.Connection]:
    path, mode = log.plain_path, "mode=rw"
    with ExitStack() as stack:
        if path is not None and not _sides(path):
            opened, mode = path, "mode=ro&immutable=1"
        else:
            opened = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rigor-"))) / "opencode.db"
            if path is None:
                opened.write_bytes(log.content())
            else:
                _copy_live(path, opened)
        database = sqlite3.connect(f"file:{quote(str(opened.resolve()))}?{mode}", uri=True)
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
