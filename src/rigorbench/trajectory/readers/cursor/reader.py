"""Cursor's agent on the command line: ``cursor-agent -p --output-format stream-json``.

Read by the vendor's documentation of the format and by what is publicly known of its tools. Each tool call comes twice,
``started`` and ``completed``, as ``{"<name>ToolCall": {"args": ..., "result": {"success" | "error" | ...: ...}}}``.
The stream has no model calls as such: text and the tool calls that follow it make a step, as do those that share a
``model_call_id``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...logfile import LogFile
from ...model import MAIN_LANE, EndState, Lane, Source, Step, ToolCall, Trajectory, Usage
from ...reader import Reader
from .tools import action_of, arguments, content_of, count_in, milliseconds_in, result_of, text_in, unwrapped

_TOOL = b'"tool_call"'


class CursorReader:
    format = "cursor-stream"

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            return False
        head = log.head
        if b'"session_id"' not in head and _TOOL not in head:
            return False
        if b'"qwen_code_version"' in head or b'"parent_tool_use_id"' in head or b'"type"' not in head:
            return False
        return any(_is_event(value) for value in log.head_objects)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        stream = _Stream(log)
        for number, value in log.json_lines():
            if isinstance(value, dict):
                stream.event(value, Source(log.name, number))
            else:
                log.skip(number, "the line is not a JSON object; skipped")
        if stream.steps:
            yield stream.finish()

    def owner(self, path: Path) -> Path | None:
        return path


def _is_event(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("type") == "tool_call":
        return value.get("subtype") in ("started", "completed") and isinstance(value.get("tool_call"), dict)
    if value.get("type") == "system":
        if value.get("subtype") != "init" or "claude_code_version" in value:
            return False
        return "apiKeySource" in value and "permissionMode" in value
    message = value.get("message")
    return (
        value.get("type") in ("user", "assistant")
        and isinstance(message, dict)
        and "id" not in message
        and isinstance(message.get("content"), list)
        and isinstance(value.get("session_id"), str)
        and "uuid" not in value
    )


class _Stream:
    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.steps: list[Step] = []
        self.calls: dict[str, ToolCall] = {}
        self.session: str | None = None
        self.model: str | None = None
        self.cwd: str | None = None
        self.end: EndState | None = None
        self.usage: Usage | None = None
        self.times: list[float] = []
        self._step: Step | None = None
        self._model_call: str | None = None
        self._segment = ""  # text written since the last tool call, piece by piece

    def event(self, event: dict[str, Any], source: Source) -> None:
        self.session = self.session or text_in(event, "session_id")
        kind = event.get("type")
        time = milliseconds_in(event.get("timestamp_ms"))
        if time is not None:
            self.times.append(time)
        if kind == "tool_call":
            self.tool_call(event, source, time)
        elif kind == "assistant":
            self.assistant(event, source, time)
        elif kind == "user":
            self._close()
            text = content_of(event)
            if text:
                self.steps.append(Step("user", source, text=text, time=time))
        elif kind == "thinking":
            thought = event.get("text")
            if isinstance(thought, str) and thought:
                step = self.step(None, source, time, new=bool(self._step and self._step.calls))
                step.reasoning += thought
        elif kind == "system" and event.get("subtype") == "init":
            self.model = self.model or text_in(event, "model")
            self.cwd = self.cwd or text_in(event, "cwd")
        elif kind == "result":
            self.result(event)

    def _close(self) -> None:
        self._step, self._model_call, self._segment = None, None, ""

    def step(self, model_call: str | None, source: Source, time: float | None, *, new: bool) -> Step:
        differs = model_call is not None and self._model_call is not None and model_call != self._model_call
        if self._step is None or new or differs:
            self._close()
            self._step = Step("agent", source, model=self.model, message_id=model_call, time=time)
            self.steps.append(self._step)
        if model_call is not None:
            self._model_call = self._step.message_id = model_call
        return self._step

    def assistant(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        text = content_of(event)
        if not text:
            return
        whole = "model_call_id" in event or "timestamp_ms" not in event
        if whole and text == self._segment:
            # With --stream-partial-output the pieces are followed by the whole, once or twice.
            self.step(text_in(event, "model_call_id"), source, time, new=False)
            return
        # Text after a tool call is the answer to its result: the next model call.
        after_call = self._step is not None and bool(self._step.calls)
        if after_call and _repeats(self.steps, text):
            return
        step = self.step(text_in(event, "model_call_id"), source, time, new=after_call)
        step.text += text
        self._segment += text

    def tool_call(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        wrapper = event.get("tool_call")
        found = unwrapped(wrapper) if isinstance(wrapper, dict) else None
        if found is None:
            self.log.skip(source.line, "a tool call of unknown shape; skipped")
            return
        name, body = found
        identity = (
            text_in(event, "call_id") or text_in(wrapper or {}, "toolCallId") or self._unnamed(event, name, source)
        )
        call = self.calls.get(identity)
        if call is None:
            given = arguments(name, body)
            model_call = text_in(event, "model_call_id")
            answered = self._step is not None and any(c.result is not None for c in self._step.calls)
            step = self.step(model_call, source, time, new=model_call is None and answered)
            call = ToolCall(identity, name, given, action_of(name, given), source, None, time)
            step.calls.append(call)
            self.calls[identity] = call
            self._segment = ""
        if event.get("subtype") == "completed" and call.result is None:
            call.result = result_of(call, body, source, time)

    def _unnamed(self, event: dict[str, Any], name: str, source: Source) -> str:
        """Some versions write no ids: a completion then belongs to the last open call of the same tool."""
        if event.get("subtype") == "completed":
            for call in reversed(self.calls.values()):
                if call.name == name and call.result is None:
                    return call.id
        return f"line {source.line}"

    def result(self, event: dict[str, Any]) -> None:
        self.end = "error" if event.get("is_error") is True or event.get("subtype") != "success" else "completed"
        usage = event.get("usage")
        if isinstance(usage, dict):
            counts = [
                count_in(usage, n) for n in ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens")
            ]
            if any(c is not None for c in counts):
                self.usage = Usage(*counts)  # the three prompt counts are disjoint

    def finish(self) -> Trajectory:
        stem = self.log.path.name.split(".", 1)[0] if self.log.path is not None else "session"
        return Trajectory(
            id=self.session or stem,
            format="cursor-stream",
            source=Source(self.log.name),
            steps=self.steps,
            agent="cursor-agent",
            model=self.model,
            cwd=self.cwd,
            started_at=min(self.times, default=None),
            ended_at=max(self.times, default=None),
            lanes={MAIN_LANE: Lane(MAIN_LANE)},
            usage=self.usage,
            end=self.end,
            states_failure=True,
        )


def _repeats(steps: list[Step], text: str) -> bool:
    """Whether ``text`` is the whole of what the agent said so far (written once more at the end of some streams)."""
    said = [s.text for s in steps if s.role == "agent" and s.text]
    return len(said) > 1 and text == "".join(said)


READERS: tuple[Reader, ...] = (CursorReader(),)
