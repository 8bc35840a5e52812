"""mini-swe-agent trajectories (``*.traj.json``), versions 1 and 2, and bare lists of messages.

Version 1 puts one shell command per reply into a text fence and answers with a user message
``<returncode>N</returncode><output>...``; version 2 uses tool calls (chat completions or the responses API) and keeps
output and return code apart under ``extra``. There is one tool, a shell. The submit command never comes back as an
ordinary observation: its output becomes the submission.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
import orjson

from ...logfile import LogError, LogFile
from ...model import EndState, Result, Role, Shell, Source, ToolCall, Trajectory
from ...reader import Reader
from ...tools import text_of
from ..shared.builder import SessionBuilder
from ..shared.python_calls import Signatures, signatures
from ..shared.usage import chat_usage
from ..shared.values import mapping, optional, seconds, set_times
from .messages import (
    SUBMIT,
    Extra,
    Message,
    Reply,
    action_of,
    choice_of,
    content_of,
    fenced,
    is_observation,
    read_document,
    read_message,
    read_messages,
    reply_reasoning,
    result_of,
    submits,
    written,
)

_INFO_FIRST = re.compile(rb'\s*\{\s*"info"\s*:\s*\{\s*"exit_status"\s*:\s*(?:"[^"]*"|null)\s*,\s*"submission"\s*:')
_REJECTED = ("Command not executed. The user rejected", "Commands not executed.")
_LIMITS = ("LimitsExceeded", "TimeExceeded", "CostLimitExceeded", "StepLimitExceeded")


class MiniSweAgentReader(Reader):
    format = "mini-swe-agent"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        start = head[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"{"):
            # Version 1 writes the submission first, and that can fill the whole head.
            return _INFO_FIRST.match(head) is not None or (
                b'"messages"' in head
                and (b'"mini_version"' in head or b'"mini-swe-agent' in head or b"minisweagent." in head)
            )
        if not start.startswith(b"[") or b'"role"' not in head or b'"content"' not in head:
            return False
        if b"<returncode>" not in head and not any(mark.encode() in head for mark in SUBMIT):
            return False
        values = log.head_document
        return isinstance(values, list) and bool(values) and isinstance(values[0], dict) and "role" in values[0]

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        messages, info, instance = _load(log)
        return [_Session(log, info, instance).read(messages)]


def _load(log: LogFile) -> tuple[Iterable[Message | None], dict[str, Any], Any]:
    content = log.content()
    try:
        if content[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            return read_messages.decode(content), {}, None
        document = read_document.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _load_damaged(log)
    return document.messages, document.info if isinstance(document.info, dict) else {}, document.instance_id


def _load_damaged(log: LogFile) -> tuple[Iterable[Message | None], dict[str, Any], Any]:
    value = log.document()
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        raise LogError(log.name, "contains no list of messages; give mini-swe-agent's own trajectory file")
    info = value.get("info")
    messages = [_repaired(log, index, message) for index, message in enumerate(value["messages"])]
    return messages, info if isinstance(info, dict) else {}, value.get("instance_id")


def _repaired(log: LogFile, index: int, message: Any) -> Message | None:
    for attempt in (message, {k: v for k, v in message.items() if k != "extra"} if isinstance(message, dict) else None):
        try:
            return read_message.decode(orjson.dumps(attempt))
        except (msgspec.MsgspecError, TypeError):
            continue
    log.skip(None, f"message {index} is not a chat message; skipped")
    return None


class _Session(SessionBuilder):
    """Reads the messages of one run in order.

    Attributes:
        pending: the calls that still wait for their observation.
        task_seen: whether the user's task was read.
        offered: the functions that the instructions offer to replies in Python.
        in_python: the last reply was Python.
        exit_status: as the last message states it.
    """

    repeated_calls = "keep"

    def __init__(self, log: LogFile, info: dict[str, Any], instance: Any) -> None:
        super().__init__(log)
        self.info = info
        self.source = Source(log.name)
        identity = optional(instance) or log.name_without(".json", ".traj")
        self.trajectory = Trajectory(identity, "mini-swe-agent", self.source, self.steps, agent="mini-swe-agent")
        self.pending: list[ToolCall] = []
        self.task_seen = self.in_python = False
        self.offered: Signatures = {}
        self.exit_status: str | None = None
        self._number = 0

    def read(self, messages: Iterable[Message | None]) -> Trajectory:
        for message in messages:
            if message is not None:
                self.take(message)
        self.describe()
        return self.trajectory

    def take(self, message: Message) -> None:
        if message.object == "response" or message.role == "assistant":
            self.assistant(message)
        elif message.role == "tool" or message.type == "function_call_output":
            self.observation(message)
        elif message.role == "user":
            self.user(message)
        elif message.role == "exit":
            self.exit(message)
        elif message.role in ("system", "developer"):
            self.offered.update(signatures(text_of(message.content)))
            self.add("harness", text_of(message.content))
        else:
            self.log.skip(None, f"a message of unknown role {str(message.role)[:40]!r}; skipped")

    def add(self, role: Role, text: str, time: float | None = None) -> None:
        if text:
            self.say(role, text, self.source, time)

    def assistant(self, message: Message) -> None:
        extra = message.extra or Extra()
        reply = extra.response if isinstance(extra.response, Reply) else None
        text, reasoning, requested = content_of(message)
        if reply is not None and not reasoning:
            reasoning = reply_reasoning(reply)
        if not requested:
            commands, text = fenced(text, extra.actions)
            requested = [(None, "bash", {"command": c}) for c in commands]
        python = [] if requested else written(text, self.offered)
        requested, text = requested or python, "" if python else text
        time = seconds(extra.timestamp)
        if time is None and reply is not None:
            time = seconds(reply.created)
        usage = chat_usage(message.usage)
        if usage is None and reply is not None:
            usage = chat_usage(reply.usage)
        model = message.model if message.object == "response" else reply.model if reply is not None else None
        step = self.begin(self.source, time)
        step.text, step.reasoning, step.usage = text, reasoning, usage
        step.model = model if isinstance(model, str) else None
        self.pending, self.in_python = [], False
        for identity, name, value in requested:
            identity = identity or f"call-{self._number}"
            self._number += 1
            call = self.call(step, identity, name, value, action_of(name, value), self.source, time)
            assert call is not None  # repeated ones are kept
            self.pending.append(call)
        if python:
            self._share_output()

    def _share_output(self) -> None:
        """The calls of a reply in Python have one output: it is that of the last command, else of the last call."""
        shown = next((c for c in reversed(self.pending) if isinstance(c.action, Shell)), self.pending[-1])
        for call in self.pending:
            if call is not shown:
                call.result = Result("", truncated=True, source=self.source)
        self.pending = [shown]
        self.in_python = True

    def observation(self, message: Message) -> None:
        """A tool message: belongs to the call whose id it names."""
        identity = message.tool_call_id or message.call_id
        call = next((c for c in self.pending if c.id == identity), None)
        if call is None:
            self.log.skip(None, "a tool result whose call is not in the log; skipped")
            return
        self.pending.remove(call)
        text = text_of(message.output if message.type == "function_call_output" else message.content)
        call.result = result_of(text, message.extra, self.source, call)

    def user(self, message: Message) -> None:
        text = text_of(message.content)
        extra = message.extra or Extra()
        time = seconds(extra.timestamp)
        kind = extra.interrupt_type
        if not self.task_seen and not self.pending:
            self.task_seen = True
            self.offered.update(signatures(text))
            self.add("user", text, time)
        elif kind == "UserInterruption" or text.startswith(("Interrupted by user", "Temporary interruption caught")):
            self.pending = []
            self.add("interrupt", text, time)
        elif kind == "UserRejection" or text.startswith(_REJECTED):
            self.reject(text, time)
        elif kind == "UserNewTask":
            self.add("user", text, time)
        elif kind == "FormatError":
            self.rejected_reply(extra)
            self.add("harness", text, time)
        elif self.pending:
            call = self.pending.pop(0)
            call.result = result_of(text, message.extra, self.source, call)
            if self.in_python:
                call.result.exit_status = None  # that of the interpreter, which goes on when a command fails
        elif is_observation(text, extra):
            self.trajectory.unread_calls += 1
            self.add("harness", text, time)
        else:
            # Commands that the human types in human mode are human words; the rest is the harness's error text.
            self.add("user" if text.startswith("User command:") else "harness", text, time)

    def reject(self, text: str, time: float | None) -> None:
        """The human refused the commands; those of version 2 already have a result that says "not executed"."""
        step = self.last.get(self.lane)
        for call in step.calls if step is not None else ():
            if call.result is None:
                call.result = Result(text, denied=True, time=time, source=self.source)
            elif call.result.exit_status is None:
                call.result.denied = True
        self.pending = []
        self.add("user", text, time)

    def rejected_reply(self, extra: Extra) -> None:
        """A reply without a usable command still cost tokens; only the error message keeps it."""
        reply = extra.response
        if isinstance(reply, Reply):
            said = choice_of(reply)
            message = Message(role="assistant", content=said.get("content"), tool_calls=said.get("tool_calls"))
            message.extra = Extra(response=reply)
            self.assistant(message)
            self.pending = []
        elif isinstance(extra.model_response, str) and extra.model_response:
            self.begin(self.source).text = extra.model_response

    def exit(self, message: Message) -> None:
        extra = message.extra or Extra()
        text = text_of(message.content)
        status = extra.exit_status if isinstance(extra.exit_status, str) else text
        self.exit_status = status or None
        submitted = next((c for c in self.pending if submits(c.input)), None)
        if status == "Submitted" and submitted is not None:
            # The harness keeps the output of the submit command; the run ends with it.
            submitted.result = Result(text, time=seconds(extra.timestamp), source=self.source)
        elif text and status != "Submitted":
            self.add("harness", text)

    def describe(self) -> None:
        """Adds the facts about the whole run."""
        info, trajectory = self.info, self.trajectory
        status = info.get("exit_status")
        if not isinstance(status, str) or not status:
            status = self.exit_status
        config = mapping(info.get("config"))
        model = mapping(config.get("model")).get("model_name")
        cwd = mapping(config.get("environment")).get("cwd")
        version = info.get("mini_version")
        stats = mapping(info.get("model_stats"))
        last_model = next((s.model for s in reversed(self.steps) if s.model), None)
        trajectory.model = model if isinstance(model, str) else last_model
        trajectory.cwd = optional(cwd)
        trajectory.agent_version = version if isinstance(version, str) else None
        trajectory.end = _end(status) if status else self.implied_end()
        kept = {
            "exit_status": status,
            "submission": info.get("submission") or None,
            "exception": info.get("exception_str"),
            "instance_cost": stats.get("instance_cost"),
            "api_calls": stats.get("api_calls"),
        }
        trajectory.extra = {k: v for k, v in kept.items() if v is not None}
        set_times(trajectory)

    def implied_end(self) -> EndState | None:
        """The last command of a bare list may show that the run was submitted."""
        last = self.last.get(self.lane)
        if last is None or not last.calls or not submits(last.calls[-1].input):
            return None
        result = last.calls[-1].result
        return "completed" if result is not None and result.exit_status is None else None


def _end(status: str) -> EndState:
    if status == "Submitted":
        return "completed"
    if status in _LIMITS:
        return "limit"
    return "interrupted" if status in ("UserInterruption", "KeyboardInterrupt") else "error"


READERS: tuple[Reader, ...] = (MiniSweAgentReader(),)
