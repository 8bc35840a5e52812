"""Qwen Code sessions: ``~/.qwen/projects/<project>/chats/<session>.jsonl``, their sub-agents' logs, and the stream.

The envelope is Claude Code's, the messages are Gemini's ``parts``. Prompt counts include what was cached and output
counts include thoughts (unlike Gemini's own). ``ui_telemetry`` lines repeat every call and count: they are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogError, LogFile
from ...model import MAIN_LANE, Edit, Lane, Result, Role, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ...reader import Reader
from ..claude_code.build import seconds
from ..claude_code.link import interleave
from ..claude_code.stream import Stream
from ..claude_code.text import role_of
from ..claude_code.wire import Block, StreamLine
from .records import action_of, edit_result, response_text, shell_result, summary_of, text_in, usage_of, without_cached

_TELEMETRY = b'"subtype":"ui_telemetry"'
_MID_TURN = "[User message received during tool execution]: "
_DENIED = ("User did not allow", "was cancelled by the user", "user denied", "declined to")
_VERSION = re.compile(rb'"qwen_code_version"\s*:\s*"([^"]{1,60})"')
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"]{1,100})"')
# User-role records that no human wrote.
_HARNESS_KINDS = ("notification", "cron", "agent_launch_prompt", "agent_bootstrap", "background_task_completed")


class QwenReader:
    format = "qwen"

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            return False
        head = log.head
        if b'"sessionId"' not in head or b'"parts"' not in head:
            return False
        return any(_is_record(value) for value in log.head_objects)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _Session(log)
        session.read_file(log, None)
        if log.path is not None and not log.path.name.startswith("agent-") and session.id is not None:
            for path in sorted(log.path.parent.parent.glob(f"subagents/{session.id}/agent-*.jsonl")):
                session.read_subagent(path)
        if session.steps:
            yield session.finish()

    def owner(self, path: Path) -> Path | None:
        """A sub-agent's log belongs to the chat of its session, where that is in the expected place."""
        if not path.name.startswith("agent-"):
            return path
        try:
            found = _SESSION.search(LogFile(path).head, 0, 16_384)
        except LogError:
            return path
        if found is None or len(path.parents) < 3:
            return path
        chat = path.parents[2] / "chats" / (found[1].decode("utf-8", "replace") + ".jsonl")
        return chat if chat.is_file() else path


class QwenStreamReader:
    """``qwen -p --output-format stream-json``, in the words of Claude Code's stream."""

    format = "qwen-stream"

    def matches(self, log: LogFile) -> bool:
        return not log.is_directory and b'"qwen_code_version"' in log.head and b'"session_id"' in log.head

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        stream = _QwenStream(log)
        stream.read_lines()
        if stream.builder.steps:
            yield stream.finish()

    def owner(self, path: Path) -> Path | None:
        return path


def _is_record(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("sessionId"), str):
        return False
    message = value.get("message")
    return (
        value.get("type") in ("user", "assistant", "tool_result")
        and isinstance(message, dict)
        and isinstance(message.get("parts"), list)
        and isinstance(value.get("uuid", ""), str)
    )


class _Session:
    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.id: str | None = None
        self.steps: list[Step] = []
        self.calls: dict[str, ToolCall] = {}
        self.lanes: dict[str, Lane] = {}
        self.cwd: str | None = None
        self.version: str | None = None
        self.branch: str | None = None
        self.times: list[float] = []
        self._seen: set[str] = set()
        self._spawns: dict[str, Step] = {}
        self._early: dict[str, tuple[dict[str, Any], Any, Source, float | None]] = {}
        self._open: dict[str, Step] = {}  # a lane's model call that later lines may still belong to
        self._files: list[list[Step]] = []

    def read_file(self, log: LogFile, lane: str | None) -> None:
        for number, raw in log.lines():
            if _TELEMETRY in raw[:1500]:
                continue
            for value in log.parse_line(number, raw):
                if isinstance(value, dict):
                    self.record(value, Source(log.name, number), lane)
                else:
                    log.skip(number, "the line is not a JSON object; skipped")

    def record(self, record: dict[str, Any], source: Source, lane: str | None) -> None:
        uuid = text_in(record, "uuid")
        if uuid is not None:
            if uuid in self._seen:
                return
            self._seen.add(uuid)
        if lane is None:
            self.id = self.id or text_in(record, "sessionId")
            self.cwd = self.cwd or text_in(record, "cwd")
            self.version = self.version or text_in(record, "version")
            self.branch = self.branch or text_in(record, "gitBranch")
            if record.get("isSidechain") is True:
                lane = text_in(record, "agentId") or "sidechain"
                self.lanes.setdefault(lane, Lane(lane, agent_type=text_in(record, "agentName")))
        time = seconds(text_in(record, "timestamp"))
        if time is not None:
            self.times.append(time)
        kind = record.get("type")
        where = lane or MAIN_LANE
        message = record.get("message")
        parts = message.get("parts") if isinstance(message, dict) else None
        parts = [p for p in parts if isinstance(p, dict)] if isinstance(parts, list) else []
        if kind == "assistant":
            self.assistant(record, parts, where, source, time)
        elif kind == "tool_result":
            self._open.pop(where, None)
            self.results(record, parts, source, time)
        elif kind == "user":
            self._open.pop(where, None)
            self.user(record, parts, where, source, time)
        elif kind == "system" and record.get("subtype") == "chat_compression":
            self.steps.append(Step("compaction", source, where, text=summary_of(record), time=time))

    def assistant(
        self, record: dict[str, Any], parts: list[dict[str, Any]], lane: str, source: Source, time: float | None
    ) -> None:
        usage = usage_of(record.get("usageMetadata"))
        # Sub-agents' logs write a round in several lines, of which one has the count.
        step = self._open.get(lane)
        if lane == MAIN_LANE or step is None or (usage is not None and step.usage is not None):
            step = Step("agent", source, lane, time=time, message_id=text_in(record, "uuid"))
            self.steps.append(step)
            self._open[lane] = step
        step.model = step.model or text_in(record, "model")
        step.usage = step.usage or usage
        for part in parts:
            call = part.get("functionCall")
            text = part.get("text")
            if isinstance(call, dict):
                self.call(step, call, source, time)
            elif isinstance(text, str) and text:
                if part.get("thought") is True:
                    step.reasoning = f"{step.reasoning}\n{text}" if step.reasoning else text
                else:
                    step.text = f"{step.text}\n{text}" if step.text else text

    def call(self, step: Step, value: dict[str, Any], source: Source, time: float | None) -> None:
        identity = text_in(value, "id") or f"{source.file}:{source.line}:{len(step.calls)}"
        if identity in self.calls:
            return
        name, given = text_in(value, "name") or "", value.get("args")
        call = ToolCall(identity, name, given, action_of(name, given), source, None, time)
        if isinstance(call.action, Spawn):
            self._spawns[identity] = step
        step.calls.append(call)
        self.calls[identity] = call
        if identity in self._early:
            self.result(call, *self._early.pop(identity))

    def results(self, record: dict[str, Any], parts: list[dict[str, Any]], source: Source, time: float | None) -> None:
        told = record.get("toolCallResult")
        told = told if isinstance(told, dict) else {}
        responses = [p["functionResponse"] for p in parts if isinstance(p.get("functionResponse"), dict)]
        if not responses and told:
            responses = [{"id": told.get("callId"), "response": {"output": told.get("resultDisplay")}}]
        for response in responses:
            identity = text_in(response, "id") or text_in(told, "callId")
            if identity is None:
                self.log.skip(source.line, "a tool result does not say whose it is; skipped", file=source.file)
                continue
            call = self.calls.get(identity)
            if call is None:
                self._early[identity] = (response, told, source, time)
            elif call.result is None:
                self.result(call, response, told, source, time)

    def result(
        self, call: ToolCall, response: dict[str, Any], told: dict[str, Any], source: Source, time: float | None
    ) -> None:
        text = response_text(response.get("response"))
        status = told.get("status")
        result = call.result = Result(text=text, time=time, source=source)
        result.is_error = status != "success" if isinstance(status, str) else None
        if status == "cancelled":
            result.interrupted = True
        if status in ("cancelled", "error") and any(words in text[:500] for words in _DENIED):
            result.denied = True
        milliseconds = told.get("durationMs")
        if isinstance(milliseconds, int | float):
            result.duration = milliseconds / 1000
        display = told.get("resultDisplay")
        if isinstance(call.action, Shell):
            shell_result(result, display)
        elif isinstance(call.action, Edit) and isinstance(display, dict):
            edit_result(call.action, result, display)

    def user(
        self, record: dict[str, Any], parts: list[dict[str, Any]], lane: str, source: Source, time: float | None
    ) -> None:
        kind = record.get("subtype")
        provenance = record.get("provenance")
        harness = lane != MAIN_LANE or kind in _HARNESS_KINDS or provenance not in (None, "real_user")
        spoken: list[str] = []
        for part in parts:
            text = part.get("text")
            if not isinstance(text, str) or not text:
                continue
            role: Role = "harness" if harness else role_of(text)
            if role == "user":
                spoken.append(text.strip("\n").removeprefix(_MID_TURN) if kind == "mid_turn_user_message" else text)
                continue
            if lane != MAIN_LANE and self.lanes[lane].prompt is None:
                self.lanes[lane].prompt = text
            self.steps.append(Step(role, source, lane, text=text, time=time))
        if spoken:
            self.steps.append(Step("user", source, lane, text="\n".join(spoken), time=time))

    def read_subagent(self, path: Path) -> None:
        log = self.log.sibling(path)
        identity = path.name.removeprefix("agent-").removesuffix(".jsonl")
        lane = self.lanes.setdefault(identity, Lane(identity))
        try:
            meta = orjson.loads(path.with_name(f"agent-{identity}.meta.json").read_bytes())
        except (OSError, orjson.JSONDecodeError):
            meta = None  # written at the best; without it the prompt finds the call
        if isinstance(meta, dict):
            lane.parent_call = text_in(meta, "toolUseId")
            lane.agent_type = text_in(meta, "agentType")
        before = len(self.steps)
        try:
            self.read_file(log, identity)
        except LogError as error:
            self.log.skip(None, error.reason, file=log.name)
        new = self.steps[before:]
        del self.steps[before:]
        if new:
            self._files.append(new)

    def finish(self) -> Trajectory:
        for identity, (_, _, source, _) in self._early.items():
            self.log.skip(source.line, f"a tool result without its call ({identity}); skipped", file=source.file)
        if self._files:
            at = {call.id: i for i, step in enumerate(self.steps) for call in step.calls}
            self.steps = interleave(self.steps, self._files, at, self.lanes)
        if not any(step.lane == MAIN_LANE for step in self.steps) and len(self.lanes) == 1:
            # A sub-agent's log read for itself: its lane is the main one.
            only = self.lanes.popitem()[0]
            self.id = f"{self.id}/agent-{only}" if self.id is not None else only
            for step in self.steps:
                step.lane = MAIN_LANE
        complete = self._link_lanes()
        main = [s for s in self.steps if s.lane == MAIN_LANE and s.role in ("agent", "user", "interrupt")]
        stem = self.log.path.name.split(".", 1)[0] if self.log.path is not None else "session"
        done = bool(main) and main[-1].role == "agent" and not main[-1].calls and bool(main[-1].text)
        return Trajectory(
            id=self.id or stem,
            format="qwen",
            source=Source(self.log.name),
            steps=self.steps,
            agent="qwen-code",
            agent_version=self.version,
            model=next((s.model for s in main if s.model is not None), None),
            cwd=self.cwd,
            branch=self.branch,
            started_at=min(self.times, default=None),
            ended_at=max(self.times, default=None),
            lanes={MAIN_LANE: Lane(MAIN_LANE), **self.lanes},
            usage_complete=complete,
            end="completed" if done else None,
            states_failure=True,
        )

    def _link_lanes(self) -> bool:
        """Joins lanes and the calls that started them. False if a sub-agent's steps are not in the log."""
        complete = True
        by_call = {lane.parent_call: lane for lane in self.lanes.values() if lane.parent_call is not None}
        by_prompt = {lane.prompt.strip(): lane for lane in self.lanes.values() if lane.prompt and not lane.parent_call}
        for identity, step in self._spawns.items():
            call = self.calls[identity]
            if not isinstance(call.action, Spawn):
                continue
            lane = by_call.get(identity) or by_prompt.pop(call.action.prompt.strip(), None)
            if lane is not None:
                call.action.lane, lane.parent_call, lane.parent = lane.id, identity, step.lane
            elif call.result is not None and not call.result.is_error:
                complete = False
        for lane in self.lanes.values():
            lane.parent = lane.parent or MAIN_LANE
        return complete


class _QwenStream(Stream):
    """Each block is a message of its own, and only the last of a model call has the count: they are put together."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self._group: dict[str | None, str] = {}

    def line(self, line: StreamLine, source: Source) -> None:
        message, lane = line.message, line.parentToolUseID
        if line.type == "assistant" and message is not None:
            message.id = self._group.setdefault(lane, message.id or f"line {source.line}")
            usage = message.usage
            super().line(line, source)
            counted = usage is not None and bool(usage.input_tokens or usage.output_tokens)
            if message.stop_reason is not None or counted:
                del self._group[lane]
            return
        if line.type == "user":
            self._group.pop(lane, None)
        super().line(line, source)
        for block in message.content if message is not None and isinstance(message.content, list) else ():
            self._exit_status(block)

    def _exit_status(self, block: Block) -> None:
        call = self.builder.calls.get(block.tool_use_id or "")
        if call is not None and call.result is not None and isinstance(call.action, Shell):
            shell_result(call.result, None)

    def finish(self) -> Trajectory:
        trajectory = super().finish()
        trajectory.format, trajectory.agent = QwenStreamReader.format, "qwen-code"
        found = _VERSION.search(self.log.head)
        trajectory.agent_version = found[1].decode("utf-8", "replace") if found is not None else None
        for step in trajectory.steps:
            step.usage = without_cached(step.usage)
        trajectory.usage = without_cached(trajectory.usage)
        return trajectory


READERS: tuple[Reader, ...] = (QwenReader(), QwenStreamReader())
