"""Gemini CLI chat files: one JSON document (to 0.2x), then JSON lines with patches and rewrites; and its JSON stream.

The lines of the newer format are ``{sessionId, projectHash, ...}`` (header), ``{"$set": {...}}`` (patches of the header
and, after a compression, of the whole message list), ``{"$rewindTo": id}`` and messages. A message is written again
each time it grows: the last line with an id counts. Tool results come a second time as ``user`` lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...logfile import LogError, LogFile
from ...model import Lane, Role, Source, Spawn, Step, ToolCall, Trajectory
from ...reader import Reader
from ..shared.builder import SessionBuilder, with_subagents
from ..shared.values import iso_time, joined, mapping, objects, optional, sequence, span, step_times, string
from .calls import add_call
from .messages import text_of_parts, usage_of, user_texts
from .stream import GeminiStreamReader

_MESSAGE = b'{"id":"'
_PATCH_OF_TIME = b'{"$set":{"lastUpdated":'
_START = re.compile(rb'\s*\{\s*"sessionId"\s*:\s*"[^"]*"\s*,\s*"projectHash"\s*:\s*"')
_GEMINI = re.compile(rb'"type"\s*:\s*"gemini"')
_REPEATED_RESULT = re.compile(rb'"type":"user","content":\[\{"functionResponse":\{"id":"([^"\\]{1,200})"')
_AGENT_TYPES = ("gemini", "qwen")
_WORKSPACE = re.compile(
    r"(?:Workspace Directories:\*\*\n\s+- |working in the (?:directory|following directories): ?(?:\n\s+- )?)([^\n]+)"
)


class GeminiReader(Reader):
    """Both generations of the chat files under ``~/.gemini/tmp/<project>/chats``."""

    format = "gemini"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if _START.match(head) is not None:
            return True
        if b'"sessionId"' in head and b'"projectHash"' in head[:4096]:
            first = mapping(log.head_objects[0] if log.head_objects else None) or mapping(log.head_document)
            return "projectHash" in first and "sessionId" in first
        if _GEMINI.search(head) is None:
            return False
        # The header may be lost, moved, or written by a converter: then the messages decide.
        messages = log.head_objects
        if not any(map(_is_answer, messages)):
            messages = sequence(mapping(log.head_document).get("messages"))
        return any(map(_is_answer, messages))

    def owner(self, path: Path) -> Path:
        """A sub-agent's file is in a folder named after the main session, beside the main session's file."""
        folder = path.parent
        if len(folder.name) < 8:
            return path
        for main in sorted(folder.parent.glob(f"session-*{_glob_safe(folder.name[:8])}*.json*")):
            if main.is_file() and _session_id(main) == folder.name:
                return main
        return path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        chat = _read_chat(log)
        steps = chat.steps("main")
        lanes: dict[str, Lane] = dict(chat.lanes)
        trajectory = Trajectory(
            id=chat.session or log.stem,
            format=self.format,
            source=Source(log.name, 1),
            steps=_with_lanes(log, chat, steps, lanes),
            agent="qwen-code" if chat.qwen else "gemini-cli",
            model=next((s.model for s in steps if s.model), None),
            cwd=chat.cwd(log),
            lanes=lanes,
            usage_complete=not chat.legacy,
            states_failure=True,
        )
        trajectory.started_at, trajectory.ended_at = span((chat.started, *step_times(trajectory.steps)))
        if steps:
            if steps[-1].role == "interrupt":
                trajectory.end = "interrupted"
            elif chat.failed:
                trajectory.end = "error"
        if trajectory.steps or chat.session:
            yield trajectory


class _Chat:
    """The messages of one chat file, each in its last version, in the order in which they first appear."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.header: dict[str, Any] = {}
        self.messages: list[tuple[int | None, dict[str, Any], bool]] = []  # line, message, only in a $set?
        self.rewinds: list[tuple[int, str]] = []  # line, id of the first message that was taken back
        self.lanes: dict[str, Lane] = {}
        self.legacy = False
        self.qwen = False
        self.failed = False

    @property
    def session(self) -> str:
        return string(self.header.get("sessionId"))

    @property
    def started(self) -> float | None:
        return iso_time(self.header.get("startTime"))

    @property
    def is_subagent(self) -> bool:
        return self.header.get("kind") == "subagent"

    def cwd(self, log: LogFile) -> str | None:
        for _, message, _ in self.messages[:8]:
            if message.get("type") == "user":
                text = text_of_parts(message.get("content"))
                found = _WORKSPACE.search(text[:20000]) if "irector" in text[:20000] else None
                if found is not None:
                    return found[1].strip()
        for directory in sequence(self.header.get("directories")):
            if isinstance(directory, str):
                return directory
        if log.path is not None:
            try:
                return (log.path.parent.parent / ".project_root").read_text("utf-8").strip() or None
            except (OSError, UnicodeDecodeError):
                return None
        return None

    def steps(self, lane: str) -> list[Step]:
        builder = _Builder(self.log, lane)
        no_human = lane != "main" or self.is_subagent
        rewinds = list(self.rewinds)
        for line, message, patched in self.messages:
            while rewinds and line is not None and line > rewinds[0][0]:
                builder.rewind(rewinds.pop(0)[1])
            kind = message.get("type")
            source = Source(self.log.name, line)
            if kind in _AGENT_TYPES:
                self.qwen |= kind == "qwen"
                if self._answer(builder, message, source, patched):
                    self.failed = False
            elif kind == "user":
                for role, text in user_texts(message, no_human):
                    builder.message(role, text, message, source)
            elif kind == "error":
                self.failed = True
                builder.message("harness", text_of_parts(message.get("content")), message, source)
            elif kind in ("info", "warning"):
                # Notices to the user ("update available"); only a cancelled request is part of the session.
                text = text_of_parts(message.get("content"))
                if text[:40].lower().startswith(("request cancelled", "user cancelled")):
                    builder.message("interrupt", text, message, source)
            else:
                self.log.skip(line, "a message of unknown type; skipped", file=self.log.name)
        for _, identity in rewinds:
            builder.rewind(identity)
        self.lanes = builder.lanes
        return builder.steps

    def _answer(self, builder: _Builder, message: dict[str, Any], source: Source, patched: bool) -> bool:
        """Adds the step of a model answer. False for the harness's own "Got it" turns, and for repeated turns."""
        records = objects(message.get("toolCalls"))
        if patched:
            records = [r for r in records if string(r.get("id")) not in builder.calls]
            if not records and not message.get("tokens"):
                return False
        time = iso_time(message.get("timestamp"))
        step = builder.begin(source, time)
        for index, record in enumerate(records):
            # The one-document format folds later turns into an earlier message: only its first call has its time.
            add_call(builder, step, record, source, time if index == 0 or not self.legacy else None)
        thoughts = (
            joined(string(t.get("subject")), string(t.get("description"))) if isinstance(t, dict) else string(t)
            for t in sequence(message.get("thoughts"))
        )
        step.text, step.reasoning = text_of_parts(message.get("content")), joined(*thoughts, by="\n\n")
        step.usage = usage_of(message.get("tokens"))
        step.model, step.message_id = optional(message.get("model")), optional(message.get("id"))
        return True


class _Builder(SessionBuilder):
    repeated_calls = "keep"

    def message(self, role: Role, text: str, message: dict[str, Any], source: Source) -> None:
        """Adds a message of somebody else than the model."""
        step = self.say(role, text, source, iso_time(message.get("timestamp")))
        step.message_id = optional(message.get("id"))

    def rewind(self, identity: str) -> None:
        start = next((n for n, step in enumerate(self.steps) if step.message_id == identity), None)
        if start is not None:
            self.take_back(start)


def _read_chat(log: LogFile) -> _Chat:
    chat = _Chat(log)
    content = log.content().lstrip(b"\xef\xbb\xbf \t\r\n")
    first = content[: content.find(b"\n")] if b"\n" in content[:1_000_000] else content
    if not first.rstrip().endswith(b"}") or (b'"messages":[' in first[:2000] and not first.startswith(b'{"$set"')):
        document = _document(log)
        if document is not None:
            chat.legacy = True
            chat.header = document
            messages = sequence(document.get("messages"))
            chat.messages = [(None, m, False) for m in objects(messages)]
            if len(chat.messages) < len(messages):
                log.skip(None, f"{len(messages) - len(chat.messages)} messages that are no objects; skipped")
            return chat
    _read_lines(log, chat)
    return chat


def _document(log: LogFile) -> dict[str, Any] | None:
    before = len(log.skipped)
    try:
        document = log.document()
    except LogError:
        document = None
    if isinstance(document, dict) and isinstance(document.get("messages"), list):
        return document
    del log.skipped[before:]
    return None


def _read_lines(log: LogFile, chat: _Chat) -> None:
    versions: dict[bytes, list[tuple[int, bytes]]] = {}
    patched: dict[bytes, tuple[int, dict[str, Any]]] = {}
    repeated: list[tuple[int, str]] = []
    for number, line in log.lines():
        if line.startswith(_MESSAGE):
            key = line[7 : line.find(b'"', 7, 300)]
            results = _REPEATED_RESULT.search(line, 0, 500)
            if results is not None and line.endswith(b"}"):
                repeated.append((number, results[1].decode("utf-8", "replace")))
            else:
                versions.setdefault(key, []).append((number, line))
        elif line.startswith(_PATCH_OF_TIME) and len(line) < 100:
            continue
        else:
            for value in log.parse_line(number, line):
                if not isinstance(value, dict):
                    log.skip(number, "not a JSON object; skipped")
                elif isinstance(value.get("$set"), dict):
                    _patch(chat, value["$set"], number, versions, patched)
                elif "$rewindTo" in value:
                    chat.rewinds.append((number, string(value["$rewindTo"])))
                elif isinstance(value.get("id"), str):
                    versions.setdefault(value["id"].encode("utf-8", "replace"), []).append((number, line))
                elif value.get("type") in (*_AGENT_TYPES, "user", "info", "warning", "error"):
                    versions[b"line %d" % number] = [(number, line)]
                elif "sessionId" in value:
                    chat.header = {**value, **chat.header}
                else:
                    log.skip(number, "a record of unknown kind; skipped")
    known: set[str] = set()
    for key, found in versions.items():
        if key in patched:
            continue_at = patched.pop(key)
            if not found:
                chat.messages.append((*continue_at, True))
                continue
        line_number, message = _last_version(log, found)
        if message is not None:
            chat.messages.append((line_number, message, False))
            known.update(string(r.get("id")) for r in objects(message.get("toolCalls")))
    known.update(string(r.get("id")) for _, m, p in chat.messages if p for r in objects(m.get("toolCalls")))
    for number, call in repeated:
        if call not in known:
            log.skip(number, "a tool result without its call; skipped")


def _patch(
    chat: _Chat,
    changes: dict[str, Any],
    number: int,
    versions: dict[bytes, list[tuple[int, bytes]]],
    patched: dict[bytes, tuple[int, dict[str, Any]]],
) -> None:
    for message in sequence(changes.get("messages")):
        if isinstance(message, dict):
            key = string(message.get("id")).encode("utf-8", "replace")
            if key not in versions:
                versions[key] = []  # keeps its place; a later line with this id takes precedence over the patch
                patched[key] = (number, message)
    chat.header.update((k, v) for k, v in changes.items() if k != "messages")


def _last_version(log: LogFile, found: list[tuple[int, bytes]]) -> tuple[int, dict[str, Any] | None]:
    """The last readable line of a message; an earlier one with tool calls takes precedence over a later one without."""
    complete = [version for version in found if b'"toolCalls"' in version[1]] or found
    for number, line in [*reversed(complete), *reversed(found if complete is not found else [])]:
        for value in log.parse_line(number, line):
            if isinstance(value, dict):
                return number, value
    return found[-1][0], None


def _with_lanes(log: LogFile, chat: _Chat, steps: list[Step], lanes: dict[str, Lane]) -> list[Step]:
    """``steps`` with those of the sub-agents after the call that started them."""
    folder = log.path.parent / chat.session if log.path is not None and chat.session and not chat.is_subagent else None
    files = sorted(folder.glob("*.jsonl")) if folder is not None and _is_plain(chat.session) and folder.is_dir() else []
    unread = {file.stem: file for file in files}

    def started(_: Step, call: ToolCall, action: Spawn) -> list[Step]:
        if action.lane is None:
            return []
        lanes[action.lane] = Lane(action.lane, "main", call.id, action.description, action.prompt or None)
        file = unread.pop(action.lane, None)
        return _read_chat(log.sibling(file)).steps(action.lane) if file is not None else []

    ordered = with_subagents(steps, started)
    for lane, file in unread.items():
        lanes[lane] = Lane(lane, "main")
        ordered += _read_chat(log.sibling(file)).steps(lane)
    return ordered


def _is_answer(message: Any) -> bool:
    return isinstance(message, dict) and message.get("type") == "gemini" and "content" in message


def _is_plain(name: str) -> bool:
    return name not in ("", ".", "..") and "/" not in name and "\x00" not in name


def _glob_safe(text: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "?" for c in text)


def _session_id(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            start = stream.read(2000)
    except OSError:
        return ""
    found = re.search(rb'"sessionId"\s*:\s*"([^"]+)"', start)
    return found[1].decode("utf-8", "replace") if found is not None else ""


READERS = (GeminiReader(), GeminiStreamReader())
