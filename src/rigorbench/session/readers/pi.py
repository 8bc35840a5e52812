"""Pi (pi-coding-agent): the session file, and the events of its JSON mode."""

from __future__ import annotations

import re
from typing import Any

from ..cost import keep_cost
from ..logfile import LogFile
from ..model import MAIN_LANE, EndState, Result, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ..reader import LineReader, Reader
from ..tools import interpret, text_of
from .shared.builder import SessionBuilder
from .shared.results import stated_exit
from .shared.usage import named_usage
from .shared.values import flag, iso_time, joined, mapping, millis, objects, optional, sequence, string

_EXIT = re.compile(r"(?:\n\n)?Command exited with code (-?\d{1,10})\s*\Z")
_TIMEOUT = re.compile(r"Command timed out after [\d.]+ ?(?:seconds|s)\b")
_ENTRIES = ("message", "message_end")
_USAGE = ("input", "cacheRead", "cacheWrite", "output", "reasoning")
_ENDS: dict[str, EndState] = {"stop": "completed", "aborted": "interrupted", "error": "error", "length": "limit"}
_ROLES = ("user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage")


class _Session(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.header: dict[str, Any] = {}
        self.chosen_model: str | None = None
        self._leaf: str | None = None
        self._costs: list[Any] = []

    def record(self, value: dict[str, Any], source: Source) -> None:
        kind, number = string(value.get("type")), source.line
        if not kind:
            self.log.skip(number, "not an entry of a Pi session")
            return
        if kind == "session":  # of a session that was gone on with, its time is later than that of the entries
            self.header = self.header or value
            self.chosen_model = optional(value.get("modelId")) or self.chosen_model
            return
        time = self.at(iso_time(value.get("timestamp")))
        # Follows the tree of entries.
        own, parent = optional(value.get("id")), optional(value.get("parentId"))
        branches = parent is not None and parent != self._leaf and parent in self._seen
        if not self.is_new(own):
            self.log.skip(number, "repeats an entry")
            return
        if own is not None and branches:
            self.say("harness", "the user went back to an earlier entry; a new branch begins here", source, time)
        self._leaf = own or self._leaf
        if kind in _ENTRIES:
            message = value.get("message")
            if isinstance(message, dict):
                self._message(message, source, time)
            else:
                self.log.skip(number, "a message entry without message")
        elif kind == "model_change":
            self.chosen_model = optional(value.get("modelId")) or self.chosen_model
        elif kind == "compaction":
            self.say("compaction", string(value.get("summary")), source, time)
        elif kind == "branch_summary":
            self.say("harness", string(value.get("summary")), source, time)
        elif kind == "custom_message":
            self.say("harness", text_of(value.get("content")), source, time)

    def _message(self, message: dict[str, Any], source: Source, logged: float | None) -> None:
        role, made = message.get("role"), millis(message.get("timestamp"))
        # The message's own time is when the model was asked, the entry's time when it had answered.
        time = logged if logged is not None else made
        self.at(made)
        if role == "assistant":
            self._assistant(message, source, time)
        elif role == "toolResult":
            self._result(message, source, made if made is not None else time)
        elif role == "user":
            text = text_of(message.get("content"))
            if text:
                self.end = None
                self.say("user" if self.lane == MAIN_LANE else "harness", text, source, time)
        elif role == "bashExecution":
            ran = f"the user ran: {string(message.get('command'))}\n{string(message.get('output'))}"
            self.say("harness", ran, source, time)
        elif role in ("compactionSummary", "branchSummary"):
            self.say(
                "compaction" if role == "compactionSummary" else "harness",
                (string(message.get("summary")) or text_of(message.get("content"))),
                source,
                time,
            )
        elif role in ("custom", "hookMessage"):
            self.say("harness", text_of(message.get("content")), source, time)
        else:
            self.log.skip(source.line, f"a message of the unknown role {str(role)[:40]!r}")

    def _assistant(self, message: dict[str, Any], source: Source, time: float | None) -> None:
        model = optional(message.get("model"))
        self.model = self.model or model
        step = self.begin(source, time)
        step.model, step.message_id = model, optional(message.get("responseId"))
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else sequence(content):
            block = mapping(block)
            kind = block.get("type")
            if kind == "text":
                step.text = joined(step.text, string(block.get("text")), by="\n\n")
            elif kind == "thinking":
                step.reasoning = joined(step.reasoning, string(block.get("thinking")), by="\n\n")
            elif kind == "toolCall":
                self._call(step, block, source, time)
        usage = mapping(message.get("usage"))
        step.usage = named_usage(usage, _USAGE)
        self._costs.append(mapping(usage.get("cost")).get("total"))
        stop = message.get("stopReason")
        self.end = _ENDS.get(string(stop))
        if stop == "aborted":
            self.say("interrupt", optional(message.get("errorMessage")) or "aborted", source, time)
        elif stop == "error":
            self.say("harness", f"error: {string(message.get('errorMessage'))}", source, time)

    def _call(self, step: Step, block: dict[str, Any], source: Source, time: float | None) -> None:
        call_id, name = optional(block.get("id")), string(block.get("name"))
        if call_id is None or call_id in self.calls:
            self.log.skip(source.line, f"a call without an id of its own ({name[:40]})")
            return
        given = block.get("arguments")
        self.call(step, call_id, name, given, interpret(name, given), source, time)

    def _result(self, message: dict[str, Any], source: Source, time: float | None) -> None:
        call = self.waiting_call(string(message.get("toolCallId")), source)
        if call is None:
            return
        result = Result(text_of(message.get("content")), time=time, source=source)
        result.is_error = flag(message.get("isError"))
        details = mapping(message.get("details"))
        cut = details.get("truncation")
        result.truncated = mapping(cut).get("truncated") is True or details.get("truncated") is True
        result.full_output = optional(details.get("fullOutputPath"))
        if isinstance(call.action, Shell):
            _shell_result(result)
        self.give(call, result)
        for number, run in enumerate(objects(details.get("results")), 1):
            if messages := objects(run.get("messages")):
                self._sub_agent(call, f"{call.id}/{number}", run, messages, source)

    def _sub_agent(
        self, call: ToolCall, lane: str, run: dict[str, Any], messages: list[dict[str, Any]], source: Source
    ) -> None:
        """The tools of extensions put what their sub-agents did into the result of the call, as messages."""
        kind, task, main, end = optional(run.get("agent")), string(run.get("task")), self.lane, self.end
        self.add_lane(lane, parent_call=call.id, agent_type=kind, prompt=task or None)
        if not isinstance(call.action, Spawn):
            call.action = Spawn(task, lane, optional(run.get("description")) or kind)
            self.spawns[call.id] = next(s for s in reversed(self.steps) if call in s.calls)
        self.lane = lane
        for message in messages:
            self._message(message, source, None)
        self.lane, self.end = main, end

    def trajectory(self) -> Trajectory | None:
        if not self.steps and not self.header:
            return None
        trajectory = Trajectory(
            id=optional(self.header.get("id")) or self.log.stem,
            format="pi",
            source=Source(self.log.name, 1),
            agent="pi",
            cwd=optional(self.header.get("cwd")),
            usage_complete=all(step.usage is not None for step in self.steps if step.role == "agent"),
            states_failure=True,
        )
        keep_cost(trajectory, self._costs)
        self.link_lanes()
        self.model = self.model or self.chosen_model
        return self.finish(trajectory)


def _shell_result(result: Result) -> None:
    stated_exit(result, _EXIT)
    tail = result.text[-200:]
    result.timed_out = bool(result.is_error and _TIMEOUT.search(tail))
    result.interrupted = bool(result.is_error and tail.rstrip().endswith("Command aborted"))


class PiReader(LineReader):
    format, marks, session = "pi", (b'"session"', b'"toolResult"', b'"toolCall"'), _Session

    def is_record(self, value: dict[str, Any]) -> bool:
        if value.get("type") == "session":
            return all(isinstance(value.get(name), str) for name in ("id", "timestamp", "cwd"))
        message = mapping(value.get("message"))
        if value.get("type") not in _ENTRIES or message.get("role") not in _ROLES or "timestamp" not in message:
            return False
        return message["role"] != "assistant" or "stopReason" in message


READERS: tuple[Reader, ...] = (PiReader(),)
