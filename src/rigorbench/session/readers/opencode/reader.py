"""opencode sessions: the databases, ``opencode export``, the older files under ``storage``, and the JSON stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogError, LogFile
from ...model import Source, Trajectory
from ...reader import Reader
from ..shared.values import integer, is_file_name, mapping, sequence, string
from .database import NOT_READ, is_opencode, owner, read_sessions
from .session import Message, OpencodeSession, families, trajectory

_ID = re.compile(rb'"id"\s*:\s*"(ses_[^"]+)"')
_PARENT = re.compile(rb'"parentID"\s*:\s*"(ses_[^"]+)"')
_START = 4096
_MOST_SIBLINGS = 500
_EVENTS = ("step_start", "text", "reasoning", "tool_use", "step_finish")


class OpencodeReader(Reader):
    """A database, ``opencode*.db`` (with its write-ahead log), or the folder ``storage`` of versions before it."""

    format, not_read = "opencode", NOT_READ | {"session_diff/", "snapshot/", "tool-output/", "log/"}

    def matches(self, log: LogFile) -> bool:
        if log.is_directory and log.path is not None:
            # Sessions, messages and parts as files; not where the database has taken over.
            folders = all((log.path / name).is_dir() for name in ("session", "message", "part"))
            return folders and not (log.path.parent / "opencode.db").exists()
        return is_opencode(log)

    def owner(self, path: Path) -> Path:
        return owner(path)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        for session in read_storage(log) if log.is_directory else read_sessions(log):
            if session.messages:
                yield trajectory(session, log, self.format)


class OpencodeExportReader(Reader):
    """The output of ``opencode export``: ``{info, messages: [{info, parts}]}``."""

    format, marks = "opencode-export", (b'"info"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        info = mapping(value.get("info"))
        return string(info.get("id")).startswith("ses_") and not info.get("role")

    def matches(self, log: LogFile) -> bool:
        return b"ses_" in log.head and super().matches(LogFile(None, content=_json_part(log.head)))

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
        parts = (mapping(part) for _, parts in session.messages for part in parts)
        if log.path is not None and any(part.get("tool") == "task" for part in parts):
            _adopt(session, log, _family(log.path.parent), {session.id})
        yield trajectory(session, log, self.format)


class OpencodeStreamReader(Reader):
    """The standard output of ``opencode run --format json``: the finished parts, without the prompt."""

    format, marks = "opencode-stream", (b'"sessionID"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        return value.get("type") in _EVENTS and "sessionID" in value and "part" in value

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = OpencodeSession({}, [], Source(log.name))
        by_id: dict[str, Message] = {}
        unnamed = 0
        for number, event in log.json_lines():
            event = mapping(event)
            part = mapping(event.get("part"))
            if event.get("type") == "error":
                if not session.messages:
                    session.messages.append(({"role": "assistant", "id": f"line {number}"}, []))
                session.messages[-1][0]["error"] = event.get("error")
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


def _export(log: LogFile) -> OpencodeSession:
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
    return OpencodeSession(mapping(document.get("info")), messages, Source(log.name))


def _json_part(content: bytes) -> bytes:
    """The content from its JSON on: a captured export may begin with the line "Exporting session: ..."."""
    start = content.find(b"{", 0, 2000)
    return content[start:] if start > 0 else content


def _adopt(session: OpencodeSession, log: LogFile, family: dict[str, tuple[Path, str]], above: set[str]) -> None:
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


# The files of versions before it: ``session/<project>/``, ``message/<session>/``, ``part/<message>/``


def read_storage(log: LogFile) -> Iterator[OpencodeSession]:
    """The root sessions by time of creation, each with its sub-agents' sessions inside."""
    root = log.path
    assert root is not None
    infos = [(path, info) for path in sorted((root / "session").rglob("*.json")) if (info := _load(log, path))]
    infos.sort(key=lambda entry: (_created(entry[1]), string(entry[1].get("id"))))
    yield from families(
        [
            (string(info.get("id")), string(info.get("parentID")), partial(_session_of_files, log, root, path, info))
            for path, info in infos
        ]
    )


def _session_of_files(log: LogFile, root: Path, path: Path, info: dict[str, Any]) -> OpencodeSession:
    key = string(info.get("id"))
    messages: list[Message] = []
    if is_file_name(key):
        for file in _files(root / "message" / key):
            message = _load(log, file)
            if message:
                name = string(message.get("id")) or file.stem
                parts = [_load(log, part) for part in _files(root / "part" / name)] if is_file_name(name) else []
                messages.append((message, [part for part in parts if part]))
    messages.sort(key=lambda entry: (_created(entry[0]), string(entry[0].get("id"))))
    return OpencodeSession(info, messages, Source(str(path)))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        return []


def _load(log: LogFile, path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        log.skip(None, "cannot be read as JSON; skipped", file=str(path))
        return {}


def _created(info: dict[str, Any]) -> int:
    return integer(mapping(info.get("time")).get("created")) or 0


READERS = (OpencodeReader(), OpencodeExportReader(), OpencodeStreamReader())
