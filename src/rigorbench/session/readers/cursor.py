"""Cursor's agent on the command line: ``cursor-agent -p --output-format stream-json``.

Read after the vendor's documentation of the format and what is publicly known of its tools. Each tool call comes twice,
``started`` and ``completed``, as ``{"<name>ToolCall": {"args": ..., "result": {"success" | "error" | ...: ...}}}``.
The stream has no model calls as such: text and the tool calls that follow it make a step, as do those that share a
``model_call_id``.
"""

from __future__ import annotations

from typing import Any

import orjson

from ..logfile import LogFile
from ..model import Action, Edit, Result, Shell, Source, Step, ToolCall, Trajectory
from ..patches import parse_patch
from ..reader import LineReader, Reader
from ..tools import interpret, text_of
from ..usage import TokenUsage
from .shared.builder import SessionBuilder
from .shared.usage import named_usage
from .shared.values import arguments, integer, joined, mapping, millis, objects, optional, string

_USAGE = ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens")


class _Stream(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.session: str | None = None
        self.usage: TokenUsage | None = None
        self._model_call: str | None = None
        self._segment = ""  # text written since the last tool call, piece by piece

    def record(self, event: dict[str, Any], source: Source) -> None:
        self.session = self.session or optional(event.get("session_id"))
        kind = event.get("type")
        value = event.get("timestamp_ms")
        if isinstance(value, str) and value.isdigit():
            value = int(value[:15])
        time = self.at(millis(value) if value != 0 else None)
        if kind == "tool_call":
            self.tool_call(event, source, time)
        elif kind == "assistant":
            self.assistant(event, source, time)
        elif kind == "user":
            self.close()
            text = content_of(event)
            if text:
                self.say("user", text, source, time)
        elif kind == "thinking":
            thought = event.get("text")
            if isinstance(thought, str) and thought:
                step = self.step(None, source, time, new=self._called())
                step.reasoning += thought
        elif kind == "system" and event.get("subtype") == "init":
            self.model = self.model or optional(event.get("model"))
            self.cwd = self.cwd or optional(event.get("cwd"))
        elif kind == "result":
            self.end = "error" if event.get("is_error") is True or event.get("subtype") != "success" else "completed"
            # The three prompt counts are disjoint.
            self.usage = named_usage(mapping(event.get("usage")), _USAGE) or self.usage

    def close(self, lane: str | None = None) -> None:
        super().close(lane)
        self._model_call, self._segment = None, ""

    def _called(self) -> bool:
        """Whether the answer under way has made calls."""
        step = self._open.get(self.lane)
        return step is not None and bool(step.calls)

    def step(self, model_call: str | None, source: Source, time: float | None, *, new: bool) -> Step:
        """The step under way, or another one if ``new`` or if it is of another model call."""
        differs = model_call is not None and self._model_call is not None and model_call != self._model_call
        if new or differs or self.lane not in self._open:
            self.close()
        step = self.answer(source, time)
        if model_call is not None:
            self._model_call = step.message_id = model_call
        return step

    def assistant(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        text = content_of(event)
        if not text:
            return
        whole = "model_call_id" in event or "timestamp_ms" not in event
        if whole and text == self._segment:
            # With --stream-partial-output the pieces are followed by the whole, once or twice.
            self.step(optional(event.get("model_call_id")), source, time, new=False)
            return
        # Text after a tool call is the answer to its result: the next model call.
        after_call = self._called()
        said = [s.text for s in self.steps if s.role == "agent" and s.text] if after_call else []
        if len(said) > 1 and text == "".join(said):
            return  # the whole of what the agent said so far is written once more at the end of some streams
        step = self.step(optional(event.get("model_call_id")), source, time, new=after_call)
        step.text += text
        self._segment += text

    def tool_call(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        wrapper = event.get("tool_call")
        found = unwrapped(wrapper) if isinstance(wrapper, dict) else None
        if found is None:
            self.log.skip(source.line, "a tool call of unknown shape; skipped")
            return
        name, body = found
        identity = optional(event.get("call_id")) or optional(mapping(wrapper).get("toolCallId"))
        if identity is None:
            # Some versions write no ids: a completion then belongs to the last open call of the same tool.
            waiting = (c.id for c in reversed(self.calls.values()) if c.name == name and c.result is None)
            identity = next(waiting, None) if event.get("subtype") == "completed" else None
            identity = identity or f"line {source.line}"
        call = self.calls.get(identity)
        if call is None:
            given = arguments(body.get("args", body.get("arguments")))
            model_call = optional(event.get("model_call_id"))
            open_step = self._open.get(self.lane)
            answered = open_step is not None and any(c.result is not None for c in open_step.calls)
            step = self.step(model_call, source, time, new=model_call is None and answered)
            call = self.call(step, identity, name, given, action_of(name, given), source, time)
            self._segment = ""
        if event.get("subtype") == "completed" and call.result is None:
            call.result = result_of(call, body, source, time)

    def trajectory(self) -> Trajectory | None:
        found = Trajectory(self.session or self.log.short_name, "cursor-stream", Source(self.log.name), [])
        found.agent, found.usage, found.states_failure = "cursor-agent", self.usage, True
        return self.finish(found) if self.steps else None


# Tool calls: the tool inside each wrapper, its arguments, and the shapes of its result


# Tools under names that others use otherwise.
_NAMES = {"askQuestion": "ask_question", "createPlan": "exit_plan_mode", "await": "wait", "readLints": "ls"}
_TEXTS = ("interleavedOutput", "output", "content", "error", "errorMessage", "reason", "message", "diffString")
# Keys of a call's wrapper that are not the tool.
_BESIDE = ("toolCallId", "startedAtMs", "completedAtMs", "hookAdditionalContexts", "description")


def unwrapped(wrapper: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The tool's name as written and its {args, result}."""
    function = wrapper.get("function")
    if isinstance(function, dict) and isinstance(function.get("name"), str):
        return function["name"], {**wrapper, **function}
    for name, body in wrapper.items():
        if isinstance(body, dict) and name not in _BESIDE and (name.endswith("ToolCall") or "args" in body):
            return name, body
    return None


def action_of(name: str, given: Any) -> Action:
    args = given if isinstance(given, dict) else {}
    short = name.removesuffix("ToolCall")
    if isinstance(args.get("todos"), list):
        return interpret("todo_write", args)
    action = interpret(_NAMES.get(short, short), given)
    if isinstance(action, Shell):
        action.cwd = action.cwd or optional(args.get("workingDirectory"))
    return action


def result_of(call: ToolCall, body: dict[str, Any], source: Source, time: float | None) -> Result:
    given = body.get("result")
    outcome, value = "success", given
    if isinstance(given, dict):
        kinds = [k for k, v in given.items() if k == "success" or isinstance(v, dict)]
        outcome = "success" if "success" in kinds else (kinds[0] if kinds else "success")
        value = given.get(outcome, given)
    result = Result(text=_words(value), time=time, source=source)
    result.is_error = None if given is None else outcome != "success"
    if outcome in ("rejected", "permissionDenied", "writePermissionDenied"):
        result.denied = True
    elif outcome == "timeout":
        result.timed_out = result.interrupted = True
    elif outcome == "aborted":
        result.interrupted = True
    if not isinstance(value, dict):
        return result
    if isinstance(call.action, Shell):
        result.exit_status = integer(value.get("exitCode"))
        out, err = value.get("stdout"), value.get("stderr")
        if isinstance(out, str) or isinstance(err, str):
            result.stdout = result.text
        milliseconds = value.get("executionTime", value.get("localExecutionTimeMs"))
        if isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool):
            result.duration = milliseconds / 1000
        if value.get("timedOut") is True or (isinstance(value.get("signal"), str) and value["signal"]):
            result.interrupted = True
            result.timed_out = value.get("timedOut") is True
        shell = value.get("shellId")
        if call.action.background and isinstance(shell, int | str) and not isinstance(shell, bool):
            result.shell_id = str(shell)
    elif isinstance(call.action, Edit) and not result.is_error:
        _edit(call.action, call.name, value)
    if value.get("exceededLimit") is True or value.get("truncated") is True:
        result.truncated = True
    return result


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        out, err = value.get("stdout"), value.get("stderr")
        if isinstance(out, str) or isinstance(err, str):
            return joined(string(out), string(err))
        if text := next(filter(None, (text_of(value.get(name)) for name in _TEXTS)), ""):
            return text
    return "" if value is None or value == {} else orjson.dumps(value).decode()


def _edit(action: Edit, name: str, value: dict[str, Any]) -> None:
    if len(action.changes) != 1:
        return
    change = action.changes[0]
    before = optional(value.get("beforeFullFileContent")) or optional(value.get("originalContent"))
    after = value.get("afterFullFileContent", value.get("fileContentAfterWrite"))
    if before is not None:
        change.before = before
        if change.operation == "create":
            change.operation = "modify"
    if isinstance(after, str):
        change.after = after
        if name.startswith("edit") and before is None and not change.hunks:
            added, removed = integer(value.get("linesAdded")), integer(value.get("linesRemoved")) or 0
            if added is not None and removed == 0 and added >= len(after.splitlines()) > 0:
                change.operation = "create"
    if not change.hunks and change.after is None and isinstance(value.get("diffString"), str):
        found = parse_patch(value["diffString"])
        if len(found) == 1:
            change.hunks = found[0].hunks


def content_of(event: dict[str, Any]) -> str:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    return "".join(string(block.get("text")) for block in objects(content))


class CursorReader(LineReader):
    format, marks, session = "cursor-stream", (b'"session_id"', b'"tool_call"'), _Stream

    def matches(self, log: LogFile) -> bool:
        # Claude Code and Qwen Code have the same envelope.
        others = b'"qwen_code_version"' in log.head or b'"parent_tool_use_id"' in log.head
        return not others and super().matches(log)

    def is_record(self, value: dict[str, Any]) -> bool:
        kind, message = value.get("type"), mapping(value.get("message"))
        if kind == "tool_call":
            return value.get("subtype") in ("started", "completed") and isinstance(value.get("tool_call"), dict)
        if kind == "system":
            known = "apiKeySource" in value and "permissionMode" in value and "claude_code_version" not in value
            return known and value.get("subtype") == "init"
        plain = isinstance(message.get("content"), list) and isinstance(value.get("session_id"), str)
        return plain and kind in ("user", "assistant") and "id" not in message and "uuid" not in value


READERS: tuple[Reader, ...] = (CursorReader(),)
