"""opencode sessions: the database, ``opencode export``, the older files under ``storage``, and the JSON stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...logfile import LogError, LogFile
from ...model import Source, Trajectory
from ...reader import Reader
from ..shared.values import mapping, sequence, string
from .steps import Message, Session, trajectory

_ID = re.compile(rb'"id"\s*:\s*"(ses_[^"]+)"')
_PARENT = re.compile(rb'"parentID"\s*:\s*"(ses_[^"]+)"')
_START = 4096
_MOST_SIBLINGS = 500
_EVENTS = ("step_start", "text", "reasoning", "tool_use", "step_finish")


class OpencodeReader(Reader):
    """The database ``opencode.db`` (with its write-ahead log), or the folder ``storage`` of versions before it."""

    format = "opencode"

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            return log.path is not None and _is_storage(log.path)
        if not log.head.startswith(b"SQLite"):
            return False
        from .database import is_opencode_database

        return is_opencode_database(log)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        if log.is_directory:
            from .storage import read_storage

            sessions = read_storage(log)
        else:
            from .database import read_sessions

            sessions = read_sessions(log)
        for session in sessions:
            if session.messages:
                yield trajectory(session, log, self.format)


class OpencodeExportReader(Reader):
    """The output of ``opencode export``: ``{info, messages: [{info, parts}]}``."""

    format = "opencode-export"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"info"' not in head or b"ses_" not in head:
            return False
        document = mapping(log.head_document) or mapping(LogFile(None, content=_json_part(head)).head_document)
        info = mapping(document.get("info"))
        return string(info.get("id")).startswith("ses_") and not info.get("role")

    def owner(self, path: Path) -> Path:
        """The export of the topmost session, if it is in the same folder."""
        seen: set[Path] = set()
        family: dict[str, tuple[Path, str]] | None = None
        while path not in seen:
            seen.add(path)
            _, parent = _identity(path)
            if not parent:
                break
            family = _family(path.parent) if family is None else family
            if parent not in family:
                break
            path = family[parent][0]
        return path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _export(log)
        if log.path is not None and _starts_agents(session):
            _adopt(session, log, _family(log.path.parent), {session.id})
        yield trajectory(session, log, self.format)


class OpencodeStreamReader(Reader):
    """The standard output of ``opencode run --format json``: the finished parts, without the prompt."""

    format = "opencode-stream"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        return b'"sessionID"' in head and b'"part"' in head and any(map(_is_stream_event, log.head_objects))

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = Session({}, [], Source(log.name))
        by_id: dict[str, Message] = {}
        unnamed = 0
        for number, event in log.json_lines():
            event = mapping(event)
            part = mapping(event.get("part"))
            if event.get("type") == "error":
                self._last(session, number)[0]["error"] = event.get("error")
                continue
            if not part:
                log.skip(number, "an event without a message part; skipped")
                continue
            # Older versions do not name the message: then each step counts as one.
            key = string(part.get("messageID")) or f"message {unnamed}"
            unnamed += part.get("type") == "step-finish"
            session.info.setdefault("id", string(event.get("sessionID")))
            if key not in by_id:
                by_id[key] = ({"role": "assistant", "id": key, "time": {"created": event.get("timestamp")}}, [])
                session.messages.append(by_id[key])
            info, parts = by_id[key]
            parts.append(part)
            if part.get("type") == "step-finish":
                info["finish"] = part.get("reason")
        if session.messages:
            yield trajectory(session, log, self.format)

    def _last(self, session: Session, number: int) -> Message:
        if not session.messages:
            session.messages.append(({"role": "assistant", "id": f"line {number}"}, []))
        return session.messages[-1]


def _is_stream_event(event: Any) -> bool:
    return isinstance(event, dict) and event.get("type") in _EVENTS and "sessionID" in event and "part" in event


def _export(log: LogFile) -> Session:
    content = log.content()
    whole = log if content.lstrip()[:1] == b"{" else LogFile(log.path, name=log.name, content=_json_part(content))
    whole.skipped = log.skipped
    document = mapping(whole.document())
    messages: list[Message] = []
    for message in sequence(document.get("messages")):
        info, parts = mapping(mapping(message).get("info")), mapping(message).get("parts")
        if info and isinstance(parts, list):
            messages.append((info, parts))
        else:
            log.skip(None, "a message without info and parts; skipped")
    return Session(mapping(document.get("info")), messages, Source(log.name))


def _json_part(content: bytes) -> bytes:
    """The content from its JSON on: a captured export may begin with the line "Exporting session: ..."."""
    start = content.find(b"{", 0, 2000)
    return content[start:] if start > 0 else content


def _starts_agents(session: Session) -> bool:
    return any(mapping(p).get("tool") == "task" for _, parts in session.messages for p in parts)


def _adopt(session: Session, log: LogFile, family: dict[str, tuple[Path, str]], above: set[str]) -> None:
    for key, (path, parent) in family.items():
        if parent == session.id and key not in above:
            try:
                child = _export(log.sibling(path))
            except LogError as error:
                log.skip(None, error.reason, file=str(path))
                continue
            above.add(key)
            session.children.append(child)
            _adopt(child, log, family, above)


def _family(folder: Path) -> dict[str, tuple[Path, str]]:
    """The exports in a folder: session id to file and parent id."""
    found: dict[str, tuple[Path, str]] = {}
    try:
        names = sorted(p for p in folder.iterdir() if p.suffix == ".json")[:_MOST_SIBLINGS]
    except OSError:
        return found
    for path in names:
        key, parent = _identity(path)
        if key:
            found.setdefault(key, (path, parent))
    return found


def _identity(path: Path) -> tuple[str, str]:
    """The session's and its parent's id in an export, from its beginning; empty where there is none."""
    try:
        with path.open("rb") as stream:
            start = stream.read(_START)
    except OSError:
        return "", ""
    if b'"info"' not in start:
        return "", ""
    start = start.split(b'"messages"', 1)[0]
    key, parent = _ID.search(start), _PARENT.search(start)
    return (key[1].decode("utf-8", "replace") if key else "", parent[1].decode("utf-8", "replace") if parent else "")


def _is_storage(folder: Path) -> bool:
    """``storage`` with sessions, messages and parts as files; not where the database has taken over."""
    return (
        (folder / "session").is_dir()
        and (folder / "message").is_dir()
        and (folder / "part").is_dir()
        and not (folder.parent / "opencode.db").exists()
    )


READERS = (OpencodeReader(), OpencodeExportReader(), OpencodeStreamReader())
