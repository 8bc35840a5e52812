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
from msgspec import Raw, Struct

from ..logfile import LogError, LogFile
from ..model import Action, EndState, Finish, Result, Role, Shell, Source, ToolCall, Trajectory
from ..reader import Reader
from ..tools import interpret, text_of
from .shared.builder import SessionBuilder
from .shared.python_calls import Signatures, python_calls, signatures
from .shared.usage import chat_usage
from .shared.values import (
    arguments,
    integer,
    joined,
    mapping,
    objects,
    optional,
    seconds,
    sequence,
    set_times,
    string,
    thinking_of,
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


def _load(log: LogFile) -> tuple[Iterable[MiniMessage | None], dict[str, Any], Any]:
    content = log.content()
    try:
        if content[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            return read_messages.decode(content), {}, None
        document = read_document.decode(content)
        return document.messages, mapping(document.info), document.instance_id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        value = log.document()
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        raise LogError(log.name, "contains no list of messages; give mini-swe-agent's own trajectory file")
    messages = [_repaired(log, index, message) for index, message in enumerate(value["messages"])]
    return messages, mapping(value.get("info")), value.get("instance_id")


def _repaired(log: LogFile, index: int, message: Any) -> MiniMessage | None:
    for attempt in (message, {k: v for k, v in message.items() if k != "extra"} if isinstance(message, dict) else None):
        try:
            return read_message.decode(orjson.dumps(attempt))
        except (msgspec.MsgspecError, TypeError):
            continue
    log.skip(None, f"message {index} is not a chat message; skipped")
    return None


class _Session(SessionBuilder):
    """Reads the messages of one run in order. ``pending``: the calls that still wait for their observation.

    ``offered``: the functions that the instructions offer to replies in Python; ``in_python``: the last reply was.
    """

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

    def read(self, messages: Iterable[MiniMessage | None]) -> Trajectory:
        for message in messages:
            if message is None:
                continue
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
        # Adds the facts about the whole run.
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
        last = self.last.get(self.lane)
        if status:
            trajectory.end = _end(status)
        elif last is not None and last.calls and submits(last.calls[-1].input):
            # The last command of a bare list may show that the run was submitted.
            result = last.calls[-1].result
            trajectory.end = "completed" if result is not None and result.exit_status is None else None
        kept = {
            "exit_status": status,
            "submission": info.get("submission") or None,
            "exception": info.get("exception_str"),
            "instance_cost": stats.get("instance_cost"),
            "api_calls": stats.get("api_calls"),
        }
        trajectory.extra = {k: v for k, v in kept.items() if v is not None}
        set_times(trajectory)
        return self.trajectory

    def add(self, role: Role, text: str, time: float | None = None) -> None:
        if text:
            self.say(role, text, self.source, time)

    def assistant(self, message: MiniMessage) -> None:
        extra = message.extra or Extra()
        reply = extra.response if isinstance(extra.response, MiniReply) else None
        text, reasoning, requested = content_of(message)
        if reply is not None and not reasoning and b'"reasoning' in bytes(reply.choices):
            said = choice_of(reply)
            stated = (said.get(name) for name in ("reasoning_content", "reasoning"))
            reasoning = next((words for words in stated if isinstance(words, str)), "")
        if not requested:
            commands, text = fenced(text, extra.actions)
            requested = [(None, "bash", {"command": c}) for c in commands]
        python = [] if requested else written(text, self.offered)
        requested, text = requested or python, "" if python else text
        time, usage = seconds(extra.timestamp), chat_usage(message.usage)
        if reply is not None:
            time = seconds(reply.created) if time is None else time
            usage = chat_usage(reply.usage) if usage is None else usage
        model = message.model if message.object == "response" else reply.model if reply is not None else None
        step = self.begin(self.source, time)
        step.text, step.reasoning, step.usage = text, reasoning, usage
        step.model = model if isinstance(model, str) else None
        self.pending, self.in_python = [], False
        for identity, name, value in requested:
            identity = identity or f"call-{self._number}"
            self._number += 1
            call = self.call(step, identity, name, value, action_of(name, value), self.source, time)
            self.pending.append(call)
        if python:
            # They have one output: it is that of the last command, else of the last call.
            shown = next((c for c in reversed(self.pending) if isinstance(c.action, Shell)), self.pending[-1])
            for call in self.pending:
                if call is not shown:
                    call.result = Result("", truncated=True, source=self.source)
            self.pending, self.in_python = [shown], True

    def observation(self, message: MiniMessage) -> None:
        """A tool message: belongs to the call whose id it names."""
        identity = message.tool_call_id or message.call_id
        call = next((c for c in self.pending if c.id == identity), None)
        if call is None:
            self.log.skip(None, "a tool result whose call is not in the log; skipped")
            return
        self.pending.remove(call)
        text = text_of(message.output if message.type == "function_call_output" else message.content)
        call.result = result_of(text, message.extra, self.source, call)

    def user(self, message: MiniMessage) -> None:
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
            # The human refused the commands; those of version 2 already have a result that says "not executed".
            step = self.last.get(self.lane)
            for call in step.calls if step is not None else ():
                if call.result is None:
                    call.result = Result(text, denied=True, time=time, source=self.source)
                elif call.result.exit_status is None:
                    call.result.denied = True
            self.pending = []
            self.add("user", text, time)
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
        elif isinstance(extra.returncode, int) or text.startswith(("<returncode>", "<exception>")):
            self.trajectory.unread_calls += 1
            self.add("harness", text, time)
        else:
            # Commands that the human types in human mode are human words; the rest is the harness's error text.
            self.add("user" if text.startswith("User command:") else "harness", text, time)

    def rejected_reply(self, extra: Extra) -> None:
        """A reply without a usable command still cost tokens; only the error message keeps it."""
        reply = extra.response
        if isinstance(reply, MiniReply):
            said = choice_of(reply)
            message = MiniMessage(role="assistant", content=said.get("content"), tool_calls=said.get("tool_calls"))
            message.extra = Extra(response=reply)
            self.assistant(message)
            self.pending = []
        elif isinstance(extra.model_response, str) and extra.model_response:
            self.begin(self.source).text = extra.model_response

    def exit(self, message: MiniMessage) -> None:
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


def _end(status: str) -> EndState:
    if status == "Submitted":
        return "completed"
    if status in _LIMITS:
        return "limit"
    return "interrupted" if status in ("UserInterruption", "KeyboardInterrupt") else "error"


# Messages: their typed form, and what replies and observations state. Only the fields that are read are typed: whole
# provider replies repeat every text, and are never decoded.


Requested = tuple[str | None, str, Any]
"""A call as the reply states it: (id, tool, arguments)."""


class MiniReply(Struct):
    model: Any = None
    created: Any = None
    usage: Any = None
    choices: Raw = Raw()


class Extra(Struct):
    actions: Any = None
    response: MiniReply | str | None = None
    timestamp: Any = None
    raw_output: Any = None
    returncode: Any = None
    exception_info: Any = None
    exception_type: Any = None
    interrupt_type: Any = None
    model_response: Any = None
    exit_status: Any = None


class MiniMessage(Struct):
    role: Any = None
    content: Any = None
    extra: Extra | None = None
    tool_calls: Any = None
    tool_call_id: Any = None
    reasoning_content: Any = None
    thinking_blocks: Any = None
    type: Any = None
    object: Any = None
    output: Any = None
    call_id: Any = None
    usage: Any = None
    model: Any = None


class Document(Struct):
    messages: list[MiniMessage]
    info: Any = None
    instance_id: Any = None


read_document = msgspec.json.Decoder(Document)
read_messages = msgspec.json.Decoder(list[MiniMessage])
read_message = msgspec.json.Decoder(MiniMessage)

_FENCE = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_PYTHON = re.compile(r"\A\s*```(?:python|py)[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_TAG = re.compile(r"<mswea_bash_command>(.*?)</mswea_bash_command>", re.DOTALL)
_RETURNCODE = re.compile(r"<returncode>\s*(-?\d+)\s*</returncode>")
SUBMIT = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_JOINERS = re.compile(r"&&|\|\||;|\n")
_HARMLESS = ("echo", "cat", "git add", "git diff", "cd", "printf")


def content_of(message: MiniMessage) -> tuple[str, str, list[Requested]]:
    """(text, reasoning, calls as (id, name, arguments)) of a reply in either API's shape."""
    calls: list[Requested] = []
    if message.object == "response":
        texts: list[str] = []
        thoughts: list[str] = []
        for item in objects(message.output):
            kind = item.get("type")
            if kind == "message":
                texts.append(text_of(item.get("content")))
            elif kind == "reasoning":
                thoughts.append(text_of(item.get("summary")) or text_of(item.get("content")))
            elif kind == "function_call":
                identity = item.get("call_id") or item.get("id")
                calls.append((optional(identity), string(item.get("name")), arguments(item.get("arguments"))))
        return joined(*texts), joined(*thoughts), calls
    for value in objects(message.tool_calls):
        function = mapping(value.get("function"))
        name = function.get("name")
        if isinstance(name, str):
            calls.append((optional(value.get("id")), name, arguments(function.get("arguments"))))
    reasoning = message.reasoning_content
    if not isinstance(reasoning, str):
        reasoning = thinking_of(message.thinking_blocks)
    return text_of(message.content), reasoning, calls


def choice_of(reply: MiniReply) -> dict[str, Any]:
    choices = sequence(arguments(bytes(reply.choices).decode("utf-8", "replace")))
    return mapping(mapping(choices[0] if choices else None).get("message"))


def fenced(text: str, actions: Any) -> tuple[list[str], str]:
    """The commands of a text reply, and the reply without the fence of a command that was run.

    The agent runs a reply with exactly one command; any other number is a format error and nothing runs.
    """
    commands = [c for a in objects(actions) if isinstance(c := a.get("command", a.get("action")), str)]
    found = list(_TAG.finditer(text)) if "<mswea_bash_command>" in text else []
    if not found and "```" in text:
        found = list(_FENCE.finditer(text))
    if len(found) == 1:
        match = found[0]
        rest = joined(text[: match.start()].strip(), text[match.end() :].strip(), by="\n\n")
        return commands or [match[1].strip()], rest
    return commands, text


def written(text: str, offered: Signatures) -> list[Requested]:
    """The calls of a reply that is Python. Commands that follow one another are one script: they have one output."""
    found = _PYTHON.match(text)
    calls: list[Requested] = []
    for name, args in python_calls(found[1] if found is not None else text, offered) or ():
        last = calls[-1] if calls else None
        if last is not None and args is not None and isinstance(action_of(name, args), Shell) and last[1] == name:
            field = next(iter(args))
            if args.keys() == last[2].keys() == {field}:
                last[2][field] = f"{last[2][field]}\n{args[field]}"
                continue
        calls.append((None, name, {} if args is None else args))
    return calls


def action_of(name: str, value: Any) -> Action:
    if submits(value) and all(
        part.strip().startswith(_HARMLESS) for part in _JOINERS.split(value["command"]) if part.strip()
    ):
        return Finish()
    return interpret(name, value)


def submits(value: Any) -> bool:
    command = value.get("command") if isinstance(value, dict) else None
    return isinstance(command, str) and any(mark in command for mark in SUBMIT)


def result_of(text: str, extra: Extra | None, source: Source, call: ToolCall) -> Result:
    result = Result(text, source=source)
    if extra is None or (extra.returncode is None and extra.raw_output is None):
        fill_from_text(result, call)
        return result
    start = text[:4096]
    result.truncated = "<output_head>" in start or '"output_head"' in start
    result.time = seconds(extra.timestamp)
    result.stdout = extra.raw_output if isinstance(extra.raw_output, str) else None
    result.exit_status = integer(extra.returncode)
    _settle(result, string(extra.exception_info), extra.exception_type, call)
    return result


def fill_from_text(result: Result, call: ToolCall) -> None:
    """Fills in what the observation's text alone states (version 1, and conversions that drop ``extra``)."""
    text, start, exception = result.text, result.text[:4096], ""
    if start.startswith(("<returncode>", "<exception>", "<warning>")):
        found = _RETURNCODE.search(start)
        if found:
            result.exit_status = int(found[1])
        result.stdout = _output(text)
        if start.startswith("<exception>"):
            exception = start.partition("</exception>")[0]
    elif start.startswith("The last command <command>") and "timed out and has been killed" in text:
        result.timed_out = result.interrupted = True
        result.stdout = _output(text)
    elif start.startswith("{") and '"returncode"' in start:
        value = mapping(arguments(text))
        result.exit_status = integer(value.get("returncode"))
        if isinstance(value.get("output"), str):
            result.stdout = value["output"]
        exception = string(value.get("exception_info"))
    else:
        return
    result.truncated = "<output_head>" in start or '"output_head"' in start
    _settle(result, exception, None, call)


def _settle(result: Result, exception: str, kind: Any, call: ToolCall) -> None:
    """With an exception, -1 is the harness's own mark: the command did not end, or was not run at all."""
    if not exception:
        return
    result.exit_status = None
    result.timed_out = kind == "TimeoutExpired" or "timed out after" in exception
    if "action was not executed" not in exception:
        result.is_error = True
        result.interrupted = result.timed_out
    elif not submits(call.input):
        result.interrupted = True


def _output(text: str) -> str | None:
    start = text.find("<output>")
    end = text.rfind("</output>")
    if start < 0 or end < start:
        return None
    start += len("<output>")
    return text[start + 1 if text[start : start + 1] == "\n" else start : end]


READERS: tuple[Reader, ...] = (MiniSweAgentReader(),)
