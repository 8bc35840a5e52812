"""Droid (Factory): the session file, the tokens in ``ID.settings.json`` beside it, and the files of its sub-agents."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogFile
from ..model import MAIN_LANE, EndState, Result, Role, Shell, Source, Trajectory
from ..reader import LineReader, Reader
from ..tools import interpret, text_of
from .shared.builder import SessionBuilder
from .shared.results import stated_exit
from .shared.usage import named_usage
from .shared.values import flag, is_file_name, iso_time, joined, mapping, objects, optional, string

_EXITS = (
    re.compile(r"\AError: Command failed \(exit code: (-?\d{1,10})\)\n?"),
    re.compile(r"\n{0,2}\[Process exited with code (-?\d{1,10})\]\s*\Z"),
)
_USAGE = ("inputTokens", "cacheReadTokens", "cacheCreationTokens", "outputTokens")
_ENDS: dict[str, EndState] = {"completed": "completed", "spec_handoff": "completed"}
_STOPPED = ("cancelled by user", "interrupted by user", "[Request interrupted")
_NOT_RUN = "Error: Error executing command"
_START = 4096
_MOST_SIBLINGS = 2000


class _Session(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.header: dict[str, Any] = {}

    def record(self, value: dict[str, Any], source: Source) -> None:
        kind, time = value.get("type"), self.at(iso_time(value.get("timestamp")))
        if kind == "session_start":
            if self.lane in self.lanes:
                self.add_lane(self.lane, parent_call=optional(value.get("callingToolUseId")))
            self.header = self.header or value
        elif kind == "message" and isinstance(value.get("message"), dict):
            self.message(value["message"], optional(value.get("id")), source, time)
        elif kind == "compaction_state":
            self.say("compaction", string(value.get("summaryText")), source, time)
        elif kind == "agent_turn_outcome":
            self.end = _ENDS.get(string(value.get("reason")), "interrupted")
        elif kind not in ("todo_state", "session_end"):  # todo_state repeats what TodoWrite was given
            self.log.skip(source.line, f"a record of the unknown kind {str(kind)[:40]!r}; skipped", file=source.file)

    def message(self, message: dict[str, Any], identity: str | None, source: Source, time: float | None) -> None:
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
        if message.get("role") != "assistant":
            for block in blocks:
                self.heard(block, source, time)
            return
        step = self.begin(source, time, model=optional(message.get("modelId")))
        step.message_id = identity
        for block in blocks:
            kind = block.get("type")
            if kind == "text":
                step.text = joined(step.text, string(block.get("text")), by="\n\n")
            elif kind == "thinking":
                step.reasoning = joined(step.reasoning, string(block.get("thinking")), by="\n\n")
            elif kind == "tool_use":
                name, given = string(block.get("name")), block.get("input")
                call = optional(block.get("id")) or f"line {source.line}"
                self.call(step, call, name, given, interpret(name, given), source, time)

    def heard(self, block: dict[str, Any], source: Source, time: float | None) -> None:
        """A block of a message to the model: what somebody said, or a result."""
        if block.get("type") == "tool_result":
            call = self.waiting_call(string(block.get("tool_use_id")), source)
            if call is not None:
                result = Result(text_of(block.get("content")), is_error=flag(block.get("is_error")), time=time)
                result.source, start = source, result.text[:200] if result.is_error else ""
                result.interrupted = any(words in start for words in _STOPPED)
                result.denied = start.startswith(_NOT_RUN)
                if isinstance(call.action, Shell):
                    stated_exit(result, *_EXITS)
                self.give(call, result)
        elif text := string(block.get("text")):
            role: Role = "user" if self.lane not in self.lanes else "harness"
            if text.startswith(("<system-reminder>", "<system-notification>")):
                role = "harness"
            elif role == "harness":
                self.add_lane(self.lane, prompt=text)
            elif any(text.startswith(words) for words in _STOPPED):
                role = "interrupt"
            self.end = None
            self.say(role, text, source, time)

    def read_agents(self, path: Path) -> None:
        """Reads the files of the sub-agents that this session started, and of those that they started."""
        children, end, started = _children(path.parent), self.end, [path.stem]
        for session in started:
            for other in children.pop(session, ()):
                self.lane = other.stem
                self.read_agent_file(other, self.read_lane, other.stem)
                started.append(other.stem)
        self.end, self.lane = end, MAIN_LANE

    def read_lane(self, log: LogFile, lane: str) -> None:
        for number, value in log.json_objects():
            self.record(value, Source(log.name, number))

    def trajectory(self) -> Trajectory | None:
        path = self.log.path
        if self.spawns and path is not None:
            self.read_agents(path)
        self.interleave()
        if not self.steps and not self.header:
            return None
        self.link_lanes()
        settings = {} if path is None else _settings(path)
        counts = settings.get("inclusiveTokenUsage") if self.lanes else None
        usage = named_usage(mapping(counts) or mapping(settings.get("tokenUsage")), _USAGE)
        trajectory = Trajectory(
            optional(self.header.get("id")) or self.log.stem,
            "droid",
            Source(self.log.name, 1),
            agent="droid",
            cwd=optional(self.header.get("cwd")),
            usage=usage,
            usage_complete=usage is not None,
            states_failure=True,
        )
        self.finish(trajectory)
        trajectory.model = trajectory.model or optional(settings.get("model"))
        return trajectory


def _settings(path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.with_name(f"{path.stem}.settings.json").read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return {}


def _caller(path: Path) -> str | None:
    """The id of the session that started the one in this file; None: no session did."""
    try:
        with path.open("rb") as stream:
            start = mapping(orjson.loads(stream.readline(_START)))
    except (OSError, orjson.JSONDecodeError):
        return None
    return optional(start.get("callingSessionId")) if start.get("type") == "session_start" else None


def _children(folder: Path) -> dict[str, list[Path]]:
    """The files of sub-agents in a folder, by the ids of the sessions that started them."""
    found: dict[str, list[Path]] = {}
    with suppress(OSError):
        for path in sorted(path for path in folder.iterdir() if path.suffix == ".jsonl")[:_MOST_SIBLINGS]:
            if (caller := _caller(path)) is not None and caller != path.stem:
                found.setdefault(caller, []).append(path)
    return found


class DroidReader(LineReader):
    format, marks, session = "droid", (b'"session_start"', b'"tool_use"', b'"parentId"'), _Session

    def is_record(self, value: dict[str, Any]) -> bool:
        if value.get("type") == "session_start":
            return isinstance(value.get("id"), str) and ("cwd" in value or "version" in value or "owner" in value)
        message = mapping(value.get("message"))
        known = value.get("type") == "message" and message.get("role") in ("user", "assistant")
        return (
            known and "timestamp" in value and "timestamp" not in message and isinstance(message.get("content"), list)
        )

    def owner(self, path: Path) -> Path:
        seen: set[Path] = set()
        while path not in seen and (caller := _caller(path)) is not None and is_file_name(caller):
            seen.add(path)
            parent = path.with_name(f"{caller}.jsonl")
            path = parent if parent.is_file() else path
        return path


READERS: tuple[Reader, ...] = (DroidReader(),)
