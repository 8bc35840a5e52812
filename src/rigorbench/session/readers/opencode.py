"""opencode sessions: the database, ``opencode export``, the older files under ``storage``, and the JSON stream."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from ..cost import keep_cost
from ..logfile import LogError, LogFile
from ..model import Action, Edit, EndState, FileChange, Lane, Result, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ..patches import parse_patch
from ..reader import Reader
from ..tools import interpret
from ..usage import TokenUsage
from .shared.builder import SessionBuilder, with_subagents
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.usage import named_usage
from .shared.values import integer, is_file_name, joined, mapping, millis, optional, sequence, set_times, string

_ID = re.compile(rb'"id"\s*:\s*"(ses_[^"]+)"')
_PARENT = re.compile(rb'"parentID"\s*:\s*"(ses_[^"]+)"')
_START = 4096
_MOST_SIBLINGS = 500
_EVENTS = ("step_start", "text", "reasoning", "tool_use", "step_finish")


class OpencodeReader(Reader):
    """The database ``opencode.db`` (with its write-ahead log), or the folder ``storage`` of versions before it."""

    format = "opencode"

    def matches(self, log: LogFile) -> bool:
        if log.is_directory and log.path is not None:
            # Sessions, messages and parts as files; not where the database has taken over.
            folders = all((log.path / name).is_dir() for name in ("session", "message", "part"))
            return folders and not (log.path.parent / "opencode.db").exists()
        return has_tables(log, "session", "message", "part")

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


# Messages to steps: the database, exports, older files and the JSON stream have the same parts


Message = tuple[dict[str, Any], list[Any]]  # info and parts

_SAVED = re.compile(r"[Ff]ull output (?:has been )?saved to: ?([^\n]+)")


@dataclass(slots=True)
class OpencodeSession:
    """One opencode session, with the sessions of the sub-agents it started. Times in milliseconds as logged."""

    info: dict[str, Any]
    messages: list[Message]
    source: Source
    children: list[OpencodeSession] = field(default_factory=list)

    @property
    def id(self) -> str:
        return string(self.info.get("id"))


Row = tuple[str, str, Callable[[], OpencodeSession]]
"""A stored session: its id, the id of its parent ("": none), and what reads it."""


def families(rows: Sequence[Row]) -> Iterator[OpencodeSession]:
    """The root sessions in order, each with its sub-agents' sessions inside."""
    known = {identity for identity, _, _ in rows}
    by_parent: dict[str, list[Row]] = {}
    for row in rows:
        by_parent.setdefault(row[1] if row[1] in known else "", []).append(row)

    def with_children(row: Row, above: set[str]) -> OpencodeSession:
        session, below = row[2](), above | {row[0]}
        children = (child for child in by_parent.get(row[0], ()) if child[0] not in below)
        session.children = [with_children(child, below) for child in children]
        return session

    for row in by_parent.get("", ()):
        yield with_children(row, set())


def trajectory(session: OpencodeSession, log: LogFile, kind: str) -> Trajectory:
    """The session and, as lanes, its sub-agents' sessions."""
    lanes: dict[str, Lane] = {}
    converter = _Converter(log)
    steps = converter.session(session, "main", lanes)
    main = [s for s in steps if s.lane == "main"]
    found = Trajectory(
        id=session.id or log.name,
        format=kind,
        source=session.source,
        steps=steps,
        agent="opencode",
        agent_version=optional(session.info.get("version")),
        model=next((name for name, _ in Counter(s.model for s in main if s.model).most_common(1)), None),
        cwd=optional(session.info.get("directory")) or converter.cwd,
        lanes=lanes,
        end=_end(main, converter.last),
    )
    keep_cost(found, converter.costs)
    set_times(found, millis(mapping(session.info.get("time")).get("created")), *converter.completed)
    return found


def _end(steps: list[Step], last: dict[str, Any]) -> EndState | None:
    if steps and steps[-1].role == "interrupt":
        return "interrupted"
    failure = string(mapping(last.get("error")).get("name"))
    if failure == "MessageOutputLengthError" or last.get("finish") == "length":
        return "limit"
    if failure:
        return "error"
    return "completed" if last.get("finish") == "stop" else None


class _Converter:
    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.cwd: str | None = None
        self.last: dict[str, Any] = {}  # the last answer of the main session
        self.completed: list[float | None] = []
        self.costs: list[Any] = []

    def session(self, session: OpencodeSession, lane: str, lanes: dict[str, Lane]) -> list[Step]:
        builder = SessionBuilder(self.log, lane)
        for info, parts in session.messages:
            if info.get("role") == "user":
                time = millis(mapping(info.get("time")).get("created"))
                for part in self._parts(parts, session.source):
                    text = string(part.get("text"))
                    if part.get("type") == "text" and text:
                        human = builder.lane == "main" and part.get("synthetic") is not True
                        said = _unquoted(text) if human else text
                        step = builder.say("user" if human else "harness", said, session.source, time)
                        step.message_id = optional(info.get("id"))
            elif info.get("role") == "assistant":
                self._assistant(builder, info, parts, session.source)
                self.costs.append(info.get("cost"))
                if lane == "main":
                    self.last = info
            else:
                self.log.skip(None, f"a message of unknown role in session {session.id}; skipped")
        children = {child.id: child for child in session.children}

        def started(_: Step, call: ToolCall, action: Spawn) -> list[Step]:
            name = action.lane
            if name is None:
                return []
            child = children.pop(name, None)
            if name not in lanes:
                kind = optional(mapping(call.input).get("subagent_type"))
                lanes[name] = Lane(name, lane, call.id, kind, action.prompt or None)
            return self.session(child, name, lanes) if child is not None else []

        ordered = with_subagents(builder.steps, started)
        for name, child in children.items():
            lanes[name] = Lane(name, lane, agent_type=optional(child.info.get("agent")))
            ordered += self.session(child, name, lanes)
        return ordered

    def _parts(self, parts: list[Any], source: Source) -> Iterator[dict[str, Any]]:
        for part in parts:
            if isinstance(part, dict):
                yield part
            else:
                self.log.skip(source.line, "a message part that is no object; skipped", file=source.file)

    def _assistant(self, builder: SessionBuilder, info: dict[str, Any], parts: list[Any], source: Source) -> None:
        """One step per model call: the parts up to each ``step-finish``."""
        times = mapping(info.get("time"))
        completed = millis(times.get("completed"))
        self.completed.append(completed)
        if self.cwd is None:
            self.cwd = optional(mapping(info.get("path")).get("cwd"))
        summary = info.get("summary") is True or info.get("mode") == "compaction" or info.get("agent") == "compaction"
        builder.close()
        before, started, finishes = len(builder.steps), millis(times.get("created")), 0
        for part in self._parts(parts, source):
            kind = part.get("type")
            if kind not in ("text", "reasoning", "tool", "step-finish", "step-start"):
                continue
            step = builder.answer(source, started)
            if kind == "text":
                text = string(part.get("text"))
                step.text = f"{step.text}\n\n{text}" if step.text else text
            elif kind == "reasoning":
                step.reasoning = joined(step.reasoning, string(part.get("text")), by="\n\n")
            elif kind == "tool":
                _add_call(builder, step, part, source)
            elif kind == "step-finish":
                finishes += 1
                step.usage = _usage(part.get("tokens"))
                builder.close()
                started = None
        model = optional(info.get("modelID")) or optional(mapping(info.get("model")).get("modelID"))
        for step in builder.steps[before:]:
            step.role = "compaction" if summary else "agent"
            step.model, step.message_id = model, optional(info.get("id"))
        if finishes == 0 and len(builder.steps) > before:
            builder.steps[-1].usage = _usage(info.get("tokens"), measured=False)
        error = mapping(info.get("error"))
        if error:
            name = string(error.get("name"))
            text = string(mapping(error.get("data")).get("message")) or string(error.get("message")) or name
            builder.say("interrupt" if name == "MessageAbortedError" else "harness", text, source, completed)


def _add_call(builder: SessionBuilder, step: Step, part: dict[str, Any], source: Source) -> None:
    state = mapping(part.get("state"))
    metadata = mapping(state.get("metadata")) or mapping(part.get("metadata"))
    name, args = string(part.get("tool")), state.get("input")
    times = mapping(state.get("time"))
    identity = string(part.get("callID")) or string(part.get("id"))
    action = _action(name, mapping(args), metadata)
    call = builder.call(step, identity, name, args, action, source, millis(times.get("start")))
    call.result = _result(state, metadata, call, source)


def _action(name: str, args: dict[str, Any], metadata: dict[str, Any]) -> Action:
    if name == "task":
        lane = optional(metadata.get("sessionId")) or optional(metadata.get("sessionID"))
        return Spawn(string(args.get("prompt")), lane, optional(args.get("description")))
    action = interpret(name, args)
    if name in ("apply_patch", "patch"):
        changes = [_file_change(f) for f in sequence(metadata.get("files")) if isinstance(f, dict)]
        if changes:
            return Edit(changes)
    if isinstance(action, Edit) and len(action.changes) == 1:
        change = action.changes[0]
        shown = mapping(metadata.get("filediff"))
        if isinstance(shown.get("before"), str) and isinstance(shown.get("after"), str):
            change.before, change.after = shown["before"], shown["after"]
            change.operation = "modify" if change.before or change.operation == "modify" else "create"
        if name == "write" and metadata.get("exists") is True:
            change.operation = "modify"
    return action


def _file_change(shown: dict[str, Any]) -> FileChange:
    path = string(shown.get("filePath")) or string(shown.get("relativePath")) or string(shown.get("path"))
    change = FileChange(path)
    kind = shown.get("type")
    if kind == "add":
        change.operation = "create"
    elif kind == "delete":
        change.operation = "delete"
    elif kind == "move":
        change.operation, change.new_path = "rename", optional(shown.get("movePath"))
    before, after = shown.get("before"), shown.get("after")
    if isinstance(before, str) and change.operation != "create":
        change.before = before
    if isinstance(after, str) and change.operation != "delete":
        change.after = after
    diff = string(shown.get("diff")) or string(shown.get("patch"))
    if diff and change.operation in ("modify", "rename"):
        change.hunks = [hunk for parsed in parse_patch(diff) for hunk in parsed.hunks]
    elif diff and change.operation == "create" and change.after is None:
        change.after = next((parsed.after for parsed in parse_patch(diff)), None)
    return change


def _result(state: dict[str, Any], metadata: dict[str, Any], call: ToolCall, source: Source) -> Result | None:
    status = state.get("status")
    if status not in ("completed", "error"):
        return None
    failed = status == "error"
    text = string(state.get("error")) if failed else string(state.get("output"))
    ended = millis(mapping(state.get("time")).get("end"))
    result = Result(text, is_error=failed, time=ended, source=source)
    if ended is not None and call.time is not None:
        result.duration = max(ended - call.time, 0.0)
    if isinstance(call.action, Shell):
        result.exit_status = integer(metadata.get("exit"))
        printed = metadata.get("output")
        if isinstance(printed, str) and printed != text and not metadata.get("truncated"):
            result.stdout = printed
        tail = text[-600:]
        if "exceeding timeout" in tail or "Command timed out after" in tail:
            result.timed_out = result.interrupted = True
        elif "User aborted the command" in tail:
            result.interrupted = True
    if failed:
        result.interrupted |= "Tool execution aborted" in text
        # The user's refusal, or that of a rule of the user.
        result.denied = "rejected permission" in text or "rule which prevents" in text or "user dismissed" in text
    if metadata.get("truncated") is True:
        saved = optional(metadata.get("outputPath"))
        if saved is None:
            mention = _SAVED.search(text[:600]) or _SAVED.search(text[-600:])
            saved = mention[1].strip() if mention is not None else None
        result.truncated, result.full_output = True, saved
    return result


def _usage(tokens: Any, *, measured: bool = True) -> TokenUsage | None:
    """``input`` excludes the cache, ``output`` the reasoning. Zeros for a whole message mean that nobody counted."""
    counts = {**mapping(tokens), **mapping(mapping(tokens).get("cache"))}
    found = named_usage(counts, ("input", "read", "write", "output", "reasoning"), reasoning_apart=True)
    return found if found is None or measured or found.input or found.output or found.cache_read else None


def _unquoted(text: str) -> str:
    """``opencode run`` stores an argument that contains a space in quotes, with the quotes inside escaped."""
    if len(text) >= 2 and text[0] == text[-1] == '"':
        inner = text[1:-1]
        if '"' not in inner.replace('\\"', ""):
            return inner.replace('\\"', '"')
    return text


# The SQLite database


def read_sessions(log: LogFile) -> Iterator[OpencodeSession]:
    """The root sessions in order of creation, each with its sub-agents' sessions inside.

    Raises:
        LogError: if the database cannot be read at all.
    """
    with opened(log) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(session)")]
        order = "time_created, id" if "time_created" in columns else "id"
        found = rows(database, log, f"SELECT * FROM session ORDER BY {order}")
        infos = [dict(zip(columns, row, strict=False)) for row in found]
        yield from families(
            [(string(i.get("id")), string(i.get("parent_id")), partial(_stored, database, log, i)) for i in infos]
        )


def _stored(database: sqlite3.Connection, log: LogFile, row: dict[str, Any]) -> OpencodeSession:
    session = string(row.get("id"))
    about: dict[str, Any] = {name: row.get(name) for name in ("version", "directory", "agent")}
    about |= {"id": session, "time": {"created": row.get("time_created")}}
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
    return OpencodeSession(about, found, Source(log.name))


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
