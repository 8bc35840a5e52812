"""The SQLite databases of opencode.

Two generations of tables are in them, and both after a migration: ``session``, ``message`` and ``part``; from version 2
on ``session_v2`` and ``session_message``.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ...index import Card, absolute, index_of, named_like
from ...logfile import LogError, LogFile
from ...model import Source
from ..shared.sqlite import has_tables, json_value, opened, rows
from ..shared.values import integer, mapping, objects, string
from .session import Message, OpencodeSession, families
from .version2 import message_of

_OLD, _NEW = ("session", "message", "part"), ("session_v2", "session_message")
# What these hold is no part of a session's work, or is in the tables above as well.
NOT_READ = frozenset(
    "project project_directory todo permission event event_sequence session_share session_input session_inbox "
    "session_context_epoch session_context session_instruction instruction_entry instruction_state account "
    "account_state control_account workspace worktree".split()
)
_FORK = re.compile(r" \(fork #\d+\)$")
Info = dict[str, Any]


def is_opencode(log: LogFile) -> bool:
    """Whether a database has the tables of either generation."""
    return has_tables(log, *_OLD) or has_tables(log, *_NEW)


def cards(path: Path) -> list[Card]:
    """The sessions in a database; of two with one session, that which was changed last is read."""
    try:
        with opened(LogFile(path)) as database:
            infos = _infos(database, LogFile(path))
    except LogError:
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
    with opened(log) as database:
        for name in sorted(_unknown_tables(database)):
            log.skip(None, f"the table {name} is not known and not read")
        infos = _infos(database, log)
        by_id = {string(i.get("id")): i for i in infos}
        found = [
            (string(i.get("id")), string(i.get("parent_id")), partial(_session, database, log, i, infos))
            for i in infos
            if _root(i, by_id) not in elsewhere
        ]
        yield from families(found)


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
        for row in rows(database, log, f"SELECT * FROM {table}") if columns else ():
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
    for message, data in rows(database, log, query, session):
        parts.setdefault(message, []).append(json_value(data))
    found: list[Message] = []
    query = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for key, data in rows(database, log, query, session):
        info = json_value(data)
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
    for key, kind, data, created in rows(database, log, query, session):
        value = json_value(data)
        if not isinstance(value, dict):
            log.skip(None, f"message {key} is not a JSON object; skipped")
        elif (message := message_of(string(kind), {"time": {"created": created}, **value, "id": key})) is not None:
            found.append(message)
        elif not string(kind).endswith(("-switched", "-selected")):
            log.skip(None, f"messages of the type {string(kind)[:60]!r} are not known and not read")
    return found
