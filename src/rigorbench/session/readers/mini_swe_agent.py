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
            # The submission stands before the messages, and that can fill the whole head.
            named = b'"messages"' in head and (b'"mini-swe-agent' in head or b"minisweagent." in head)
            return named or b'"mini_version"' in head or _INFO_FIRST.match(head) is not None
        if not start.startswith(b"[") or b'"role"' not in head or b'"content"' not in head:
            return False
        if b"<returncode>" not in head and not any(mark.encode() in head for mark in SUBMIT):
            return False
        values = log.head_document
        return isinstance(values, list) and bool(values) and isinstance(values[0], dict) and "role" in values[0]

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        value = log.document()
        document = {"messages": value} if isinstance(value, list) else mapping(value)
        if not isinstance(document.get("messages"), list):
            raise LogError(log.name, "contains no list of messages; give mini-swe-agent's own trajectory file")
        return [_Session(log, mapping(document.get("info")), document.get("instance_id")).read(document["messages"])]


class _Session(SessionBuilder):
    """Reads the messages of one run in order. ``pending``: the calls that still wait for their observation.

    ``offered``: the functions that the instructions offer to replies in Python; ``in_python``: the last reply was.
    """

    def __init__(self, log: LogFile, info: dict[str, Any], instance: Any) -> None:
        super().__init__(log)
        self.info = info
        self.source = Source(log.name)
        identity = optional(instance) or log.name_without(".json", ".traj")
        self.found = Trajectory(identity, "mini-swe-agent", self.source, agent="mini-swe-agent")
        self.pending: list[ToolCall] = []
        self.task_seen = self.in_python = False
        self.offered: Signatures = {}
        self.exit_status: str | None = None
        self._number = 0

    def read(self, messages: list[Any]) -> Trajectory:
        for index, message in enumerate(messages):
            if not isinstance(message, dict):
                self.log.skip(None, f"message {index} is not a chat message; skipped")
                continue
            role, text = message.get("role"), text_of(message.get("content"))
            if message.get("object") == "response" or role == "assistant":
                self.assistant(message)
            elif role == "tool" or message.get("type") == "function_call_output":
                self.observation(message, text)
            elif role == "user":
                self.user(message, text)
            elif role == "exit":
                self.exit(message, text)
            elif role in ("system", "developer"):
                self.offered.update(signatures(text))
                self.add("harness", text)
            else:
                self.log.skip(None, f"a message of unknown role {str(role)[:40]!r}; skipped")
        # Adds the facts about the whole run.
        info, trajectory = self.info, self.found
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
        # Answers that were out of form are not in the log.
        trajectory.usage_complete = (integer(stats.get("api_calls")) or 0) <= sum(s.role == "agent" for s in self.steps)
        return self.finish(trajectory)

    def add(self, role: Role, text: str, time: float | None = None) -> None:
        if text:
            self.say(role, text, self.source, time)

    def assistant(self, message: Message) -> None:
        extra = mapping(message.get("extra"))
        reply = mapping(extra.get("response"))
        text, reasoning, requested = content_of(message)
        if not reasoning:
            said = choice_of(reply)
            stated = (said.get(name) for name in ("reasoning_content", "reasoning"))
            reasoning = next((words for words in stated if isinstance(words, str)), "")
        if not requested:
            commands, text = fenced(text, extra.get("actions"))
            requested = [(None, "bash", {"command": c}) for c in commands]
        python = [] if requested else written(text, self.offered)
        requested, text = requested or python, "" if python else text
        time = seconds(extra.get("timestamp"))
        time = seconds(reply.get("created")) if time is None else time
        step = self.begin(self.source, time)
        step.text, step.reasoning = text, reasoning
        step.usage = chat_usage(message.get("usage")) or chat_usage(reply.get("usage"))
        model = (message if message.get("object") == "response" else reply).get("model")
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

    def observation(self, message: Message, text: str) -> None:
        """A tool message: belongs to the call whose id it names."""
        identity = message.get("tool_call_id") or message.get("call_id")
        call = next((c for c in self.pending if c.id == identity), None)
        if call is None:
            self.log.skip(None, "a tool result whose call is not in the log; skipped")
            return
        self.pending.remove(call)
        if message.get("type") == "function_call_output":
            text = text_of(message.get("output"))
        call.result = result_of(text, mapping(message.get("extra")), self.source, call)

    def user(self, message: Message, text: str) -> None:
        extra = mapping(message.get("extra"))
        time, kind = seconds(extra.get("timestamp")), extra.get("interrupt_type")
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
            call.result = result_of(text, extra, self.source, call)
            if self.in_python:
                call.result.exit_status = None  # that of the interpreter, which goes on when a command fails
        elif isinstance(extra.get("returncode"), int) or text.startswith(("<returncode>", "<exception>")):
            self.unread_calls += 1
            self.add("harness", text, time)
        else:
            # Commands that the human types in human mode are human words; the rest is the harness's error text.
            self.add("user" if text.startswith("User command:") else "harness", text, time)

    def rejected_reply(self, extra: dict[str, Any]) -> None:
        """A reply without a usable command still cost tokens; only the error message keeps it."""
        reply, told = mapping(extra.get("response")), string(extra.get("model_response"))
        if reply:
            said = {name: choice_of(reply).get(name) for name in ("content", "tool_calls")}
            self.assistant({**said, "extra": {"response": reply}})
            self.pending = []
        elif told:
            self.begin(self.source).text = told

    def exit(self, message: Message, text: str) -> None:
        extra = mapping(message.get("extra"))
        status = stated if isinstance(stated := extra.get("exit_status"), str) else text
        self.exit_status = status or None
        submitted = next((c for c in self.pending if submits(c.input)), None)
        if status == "Submitted" and submitted is not None:
            # The harness keeps the output of the submit command; the run ends with it.
            submitted.result = Result(text, time=seconds(extra.get("timestamp")), source=self.source)
        elif text and status != "Submitted":
            self.add("harness", text)


def _end(status: str) -> EndState:
    if status == "Submitted":
        return "completed"
    if status in _LIMITS:
        return "limit"
    return "interrupted" if status in ("UserInterruption", "KeyboardInterrupt") else "error"


# What replies and observations state


Message = dict[str, Any]
Requested = tuple[str | None, str, Any]
"""A call as the reply states it: (id, tool, arguments)."""


_FENCE = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_PYTHON = re.compile(r"\A\s*```(?:python|py)[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_TAG = re.compile(r"<mswea_bash_command>(.*?)</mswea_bash_command>", re.DOTALL)
_RETURNCODE = re.compile(r"<returncode>\s*(-?\d+)\s*</returncode>")
SUBMIT = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_JOINERS = re.compile(r"&&|\|\||;|\n")
_HARMLESS = ("echo", "cat", "git add", "git diff", "cd", "printf")


def content_of(message: Message) -> tuple[str, str, list[Requested]]:
    """(text, reasoning, calls as (id, name, arguments)) of a reply in either API's shape."""
    calls: list[Requested] = []
    if message.get("object") == "response":
        texts: list[str] = []
        thoughts: list[str] = []
        for item in objects(message.get("output")):
            kind = item.get("type")
            if kind == "message":
                texts.append(text_of(item.get("content")))
            elif kind == "reasoning":
                thoughts.append(text_of(item.get("summary")) or text_of(item.get("content")))
            elif kind == "function_call":
                identity = item.get("call_id") or item.get("id")
                calls.append((optional(identity), string(item.get("name")), arguments(item.get("arguments"))))
        return joined(*texts), joined(*thoughts), calls
    for value in objects(message.get("tool_calls")):
        function = mapping(value.get("function"))
        name = function.get("name")
        if isinstance(name, str):
            calls.append((optional(value.get("id")), name, arguments(function.get("arguments"))))
    reasoning = message.get("reasoning_content")
    if not isinstance(reasoning, str):
        reasoning = thinking_of(message.get("thinking_blocks"))
    return text_of(message.get("content")), reasoning, calls


def choice_of(reply: dict[str, Any]) -> dict[str, Any]:
    choices = sequence(reply.get("choices"))
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


def result_of(text: str, extra: dict[str, Any], source: Source, call: ToolCall) -> Result:
    result, code, printed = Result(text, source=source), extra.get("returncode"), extra.get("raw_output")
    if code is None and printed is None:
        fill_from_text(result, call)
        return result
    start = text[:4096]
    result.truncated = "<output_head>" in start or '"output_head"' in start
    result.time = seconds(extra.get("timestamp"))
    result.stdout = printed if isinstance(printed, str) else None
    result.exit_status = integer(code)
    _settle(result, string(extra.get("exception_info")), extra.get("exception_type"), call)
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
        result.not_observed = "[Errno " in exception and not result.timed_out  # no shell was started
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
