"""The messages of opencode sessions to steps: databases, exports, older files and the stream have the same parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...cost import keep_cost
from ...logfile import LogFile
from ...model import Action, Edit, EndState, FileChange, Lane, Result, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ...patches import parse_patch
from ...tools import interpret
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder, with_subagents
from ..shared.usage import named_usage
from ..shared.values import integer, joined, mapping, millis, optional, sequence, set_times, string

Message = tuple[dict[str, Any], list[Any]]  # info and parts

_SAVED = re.compile(r"[Ff]ull output (?:has been )?saved to: ?([^\n]+)")


@dataclass(slots=True)
class OpencodeSession:
    """One opencode session, with the sessions of the sub-agents it started. Times in milliseconds as logged."""

    info: dict[str, Any]
    messages: list[Message]
    source: Source
    children: list[OpencodeSession] = field(default_factory=list)
    continues: str | None = None
    """The session that it was forked from, whose messages are only there."""

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
        continues=session.continues,
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
    if name in ("task", "subagent"):
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
