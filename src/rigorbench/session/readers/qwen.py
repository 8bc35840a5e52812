"""Qwen Code sessions: ``~/.qwen/projects/<project>/chats/<session>.jsonl``, their sub-agents' logs, and the stream.

The envelope is Claude Code's, the messages are Gemini's ``parts``. Prompt counts include what was cached and output
counts include thoughts (unlike Gemini's own). ``ui_telemetry`` lines repeat every call and count: they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from msgspec.structs import replace

from ..logfile import LogFile
from ..model import MAIN_LANE, Edit, FileChange, Result, Role, Shell, Source, Step, ToolCall, Trajectory
from ..reader import LineReader, Reader
from ..tools import interpret
from ..usage import TokenUsage
from .claude_code.files import session_of
from .claude_code.results import LinePlace
from .claude_code.stream import ClaudeStream
from .claude_code.text import role_of
from .gemini import read_shell
from .shared.builder import SessionBuilder
from .shared.usage import uncached
from .shared.values import integer, iso_time, joined, mapping, objects, optional, sequence, string

_MID_TURN = "[User message received during tool execution]: "
_DENIED = ("User did not allow", "was cancelled by the user", "user denied", "declined to")
_VERSION = re.compile(rb'"qwen_code_version"\s*:\s*"([^"]{1,60})"')
# User-role records that no human wrote.
_HARNESS_KINDS = ("notification", "cron", "agent_launch_prompt", "agent_bootstrap", "background_task_completed")


class QwenReader(Reader):
    format, marks = "qwen", (b'"parts"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        known = value.get("type") in ("user", "assistant", "tool_result") and isinstance(value.get("sessionId"), str)
        parts = mapping(value.get("message")).get("parts")
        return known and isinstance(parts, list) and isinstance(value.get("uuid", ""), str)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = _Session(log)
        session.read_file(log, None)
        if log.path is not None and not log.path.name.startswith("agent-") and session.id is not None:
            for path in sorted(log.path.parent.parent.glob(f"subagents/{session.id}/agent-*.jsonl")):
                session.read_agent_file(path, session.read_file)
        if session.steps:
            yield session.trajectory()

    def owner(self, path: Path) -> Path:
        """A sub-agent's log belongs to the chat of its session, if that is in the expected place."""
        session = session_of(path) if path.name.startswith("agent-") and len(path.parents) > 2 else None
        chat = path.parents[2] / "chats" / f"{session}.jsonl" if session is not None else path
        return chat if chat.is_file() else path


class _Session(SessionBuilder):
    repeated_calls = "ignore"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.id: str | None = None

    def read_file(self, log: LogFile, lane: str | None) -> None:
        for number, value in log.json_objects():
            self.record(value, Source(log.name, number), lane)

    def record(self, record: dict[str, Any], source: Source, lane: str | None) -> None:
        if record.get("subtype") == "ui_telemetry" or not self.is_new(optional(record.get("uuid"))):
            return
        if lane is None:
            self.id = self.id or optional(record.get("sessionId"))
            self.cwd = self.cwd or optional(record.get("cwd"))
            self.version = self.version or optional(record.get("version"))
            self.branch = self.branch or optional(record.get("gitBranch"))
            if record.get("isSidechain") is True:
                lane = optional(record.get("agentId")) or "sidechain"
                if lane not in self.lanes:
                    self.add_lane(lane, agent_type=optional(record.get("agentName")))
        time = self.at(iso_time(record.get("timestamp")))
        kind = record.get("type")
        where = lane or MAIN_LANE
        at = LinePlace(where, source, time)
        parts = objects(mapping(record.get("message")).get("parts"))
        if kind == "assistant":
            self.assistant(record, parts, at)
        elif kind == "tool_result":
            self.close(where)
            self.results(record, parts, at)
        elif kind == "user":
            self.close(where)
            self.user(record, parts, at)
        elif kind == "system" and record.get("subtype") == "chat_compression":
            history = sequence(mapping(record.get("systemPayload")).get("compressedHistory"))
            texts = [p.get("text") for p in objects(mapping(history[0]).get("parts"))] if history else []
            self.steps.append(
                Step("compaction", source, where, text="\n".join(t for t in texts if isinstance(t, str)), time=time)
            )

    def assistant(self, record: dict[str, Any], parts: list[dict[str, Any]], at: LinePlace) -> None:
        lane, source, time = at
        usage = usage_of(record.get("usageMetadata"))
        # Sub-agents' logs write a round in several lines, of which one has the count.
        step = self._open.get(lane)
        if lane == MAIN_LANE or step is None or (usage is not None and step.usage is not None):
            step = self.begin(source, time, lane=lane)
            step.message_id = optional(record.get("uuid"))
        step.model = step.model or optional(record.get("model"))
        step.usage = step.usage or usage
        for part in parts:
            call = part.get("functionCall")
            text = part.get("text")
            if isinstance(call, dict):
                identity = optional(call.get("id")) or f"{source.file}:{source.line}:{len(step.calls)}"
                name, given = string(call.get("name")), call.get("args")
                self.call(step, identity, name, given, interpret(name, given), source, time)
            elif isinstance(text, str) and text:
                if part.get("thought") is True:
                    step.reasoning = joined(step.reasoning, text)
                else:
                    step.text = joined(step.text, text)

    def results(self, record: dict[str, Any], parts: list[dict[str, Any]], at: LinePlace) -> None:
        outcome = mapping(record.get("toolCallResult"))
        responses = [p["functionResponse"] for p in parts if isinstance(p.get("functionResponse"), dict)]
        if not responses and outcome:
            responses = [{"id": outcome.get("callId"), "response": {"output": outcome.get("resultDisplay")}}]
        for response in responses:
            identity = optional(response.get("id")) or optional(outcome.get("callId"))
            self.deliver(identity, at.source, partial(self._receive, response, outcome, at))

    def _receive(self, response: dict[str, Any], outcome: dict[str, Any], at: LinePlace, call: ToolCall) -> None:
        if call.result is not None:
            return
        text = response_text(response.get("response"))
        status = outcome.get("status")
        result = call.result = Result(text=text, time=at.time, source=at.source)
        result.is_error = status != "success" if isinstance(status, str) else None
        if status == "cancelled":
            result.interrupted = True
        if status in ("cancelled", "error") and any(words in text[:500] for words in _DENIED):
            result.denied = True
        milliseconds = outcome.get("durationMs")
        if isinstance(milliseconds, int | float):
            result.duration = milliseconds / 1000
        display = outcome.get("resultDisplay")
        if isinstance(call.action, Shell):
            shell_result(call.action, result, display)
        elif isinstance(call.action, Edit) and len(call.action.changes) == 1 and not result.is_error:
            edit_result(call.action.changes[0], result, mapping(display))

    def user(self, record: dict[str, Any], parts: list[dict[str, Any]], at: LinePlace) -> None:
        lane, source, time = at
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

    def trajectory(self) -> Trajectory:
        self.interleave()
        if (only := self.lone_subagent()) is not None:
            self.id = f"{self.id}/agent-{only}" if self.id is not None else only
        main = [s for s in self.steps if s.lane == MAIN_LANE and s.role in ("agent", "user", "interrupt")]
        done = bool(main) and main[-1].role == "agent" and not main[-1].calls and bool(main[-1].text)
        self.link_lanes()
        trajectory = Trajectory(
            id=self.id or self.log.short_name,
            format="qwen",
            source=Source(self.log.name),
            agent="qwen-code",
            end="completed" if done else None,
            states_failure=flags_failure(self.version),
        )
        return self.finish(trajectory)


class _QwenStream(ClaudeStream):
    """Each block is a message of its own, and only the last of a model call has the count: they are put together."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self._group: dict[str | None, str] = {}

    def record(self, line: dict[str, Any], source: Source) -> None:
        message, lane = line.get("message"), optional(line.get("parent_tool_use_id"))
        if line.get("type") == "assistant" and isinstance(message, dict):
            message["id"] = self._group.setdefault(lane, optional(message.get("id")) or f"line {source.line}")
            usage = mapping(message.get("usage"))
            super().record(line, source)
            counted = integer(usage.get("input_tokens")) or integer(usage.get("output_tokens"))
            if counted or isinstance(message.get("stop_reason"), str):
                del self._group[lane]
            return
        if line.get("type") == "user":
            self._group.pop(lane, None)
        super().record(line, source)
        for block in objects(mapping(message).get("content")):
            call = self.builder.calls.get(string(block.get("tool_use_id")))
            if call is not None and call.result is not None and isinstance(call.action, Shell):
                shell_result(call.action, call.result, None)

    def trajectory(self) -> Trajectory | None:
        trajectory = super().trajectory()
        if trajectory is None:
            return None
        trajectory.format, trajectory.agent = QwenStreamReader.format, "qwen-code"
        found = _VERSION.search(self.log.head)
        trajectory.agent_version = found[1].decode("utf-8", "replace") if found is not None else None
        trajectory.states_failure = flags_failure(trajectory.agent_version)
        for step in trajectory.steps:
            step.usage = without_cached(step.usage)
        trajectory.usage = without_cached(trajectory.usage)
        return trajectory


class QwenStreamReader(LineReader):
    """``qwen -p --output-format stream-json``, in the words of Claude Code's stream."""

    format, session = "qwen-stream", _QwenStream

    def matches(self, log: LogFile) -> bool:
        return b'"qwen_code_version"' in log.head and b'"session_id"' in log.head


# Token counts, tools and results in the records


# The display of a command that printed nothing.
_SILENT = re.compile(r"Command exited with code: (-?\d{1,10})\s*")
# The first version known to flag a shell command that failed. Before, a failed one was a "success" as well.
_FLAGS_SINCE = (0, 24)


def flags_failure(version: str | None) -> bool:
    """Whether this version of Qwen Code flags every shell command that failed."""
    numbers = re.findall(r"\d{1,6}", version or "")[:2]
    return tuple(int(n) for n in numbers) >= _FLAGS_SINCE


def without_cached(usage: TokenUsage | None) -> TokenUsage | None:
    if usage is None or usage.input is None or usage.cache_read is None:
        return usage
    return replace(usage, input=max(0, usage.input - usage.cache_read))


_COUNTS = ("promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount")


def usage_of(value: Any) -> TokenUsage | None:
    prompt, cached, output, thoughts = (integer(mapping(value).get(name)) for name in _COUNTS)
    if prompt is None and output is None:
        return None
    total = integer(value.get("totalTokenCount"))
    if prompt is not None and output is not None and thoughts is not None and total == prompt + output + thoughts:
        output += thoughts  # Gemini's own service counts thoughts apart
    return TokenUsage(uncached(prompt, cached, None), cached, None, output, thoughts)


def response_text(response: Any) -> str:
    """What the model saw: the output, else the error, else the whole response."""
    if isinstance(response, str):
        return response
    if isinstance(response, dict):
        for name in ("output", "error", "content"):
            if isinstance(response.get(name), str):
                return str(response[name])
    return "" if response is None else orjson.dumps(response).decode()


def shell_result(action: Shell, result: Result, display: Any) -> None:
    read_shell(result.text, action, result)
    if isinstance(display, dict):
        status = display.get("exitCode")
        if isinstance(status, int) and not isinstance(status, bool):
            result.exit_status = status
        if isinstance(display.get("output"), str):
            result.stdout = display["output"]
        result.truncated = display.get("truncated") is True
        files = display.get("outputFiles")
        if isinstance(files, list) and files and isinstance(files[0], str):
            result.full_output = files[0]
        outcome = display.get("outcome")
        if outcome in ("timed_out", "timeout"):
            result.timed_out = result.interrupted = True
        elif outcome in ("cancelled", "aborted", "killed"):
            result.interrupted = True
    silent = _SILENT.fullmatch(result.text)
    if result.exit_status is None and silent is not None:
        result.exit_status = int(silent[1])


def edit_result(change: FileChange, result: Result, display: dict[str, Any]) -> None:
    before, after = display.get("originalContent"), display.get("newContent")
    if not isinstance(after, str):
        return
    if before or not result.text.startswith("Successfully created"):
        change.operation = "modify" if before else change.operation
    if display.get("truncatedForSession") is True:
        return  # shortened copies: not the files
    if isinstance(before, str) and change.operation == "modify":
        change.before = before
    change.after = after


READERS: tuple[Reader, ...] = (QwenReader(), QwenStreamReader())
