"""The standard output of ``gemini --output-format stream-json``: events without token counts per model call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...logfile import LogFile
from ...model import Result, Shell, Source, Trajectory
from ...reader import Reader
from ...usage import Usage
from ..shared.builder import SessionBuilder
from ..shared.usage import difference
from ..shared.values import integer, iso_time, mapping, optional, span, step_times, string
from .calls import action_of, read_shell


class GeminiStreamReader(Reader):
    """``init``, ``message`` (in pieces), ``tool_use``, ``tool_result``, ``error``, ``result`` with the totals."""

    format = "gemini-stream"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"type":"init"' in head or b'"type": "init"' in head:
            return any(
                isinstance(o, dict) and o.get("type") == "init" and "session_id" in o and "timestamp" in o
                for o in log.head_objects
            )
        return b'"tool_name"' in head and any(
            isinstance(o, dict) and o.get("type") == "tool_use" and "tool_name" in o and "tool_id" in o
            for o in log.head_objects
        )

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        stream = _Stream(log)
        for number, event in log.json_objects():
            stream.take(number, event)
        if stream.steps:
            found = Trajectory(
                id=stream.session or log.stem,
                format=self.format,
                source=Source(log.name, 1),
                steps=stream.steps,
                agent="gemini-cli",
                model=stream.model,
                usage=stream.totals,
                end=stream.end,
            )
            found.started_at, found.ended_at = span((stream.started_at, stream.ended_at, *step_times(found.steps)))
            yield found


class _Stream(SessionBuilder):
    repeated_calls = "keep"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.session = ""
        self.totals: Usage | None = None

    def take(self, number: int, event: dict[str, Any]) -> None:
        kind = event.get("type")
        source = Source(self.log.name, number)
        time = iso_time(event.get("timestamp"))
        if kind == "init":
            self.end = None  # a further run in the same file
            self.session = string(event.get("session_id")) or self.session
            self.model = optional(event.get("model"))
            self.at(time)
        elif kind == "message":
            self._message(event, source, time)
        elif kind == "tool_use":
            name, args = string(event.get("tool_name")), mapping(event.get("parameters"))
            self.call(None, string(event.get("tool_id")), name, args, action_of(name, args, {}), source, time)
        elif kind == "tool_result":
            self._result(event, source, time)
        elif kind == "error":
            self.say("harness", string(event.get("message")), source, time)
        elif kind == "result":
            self.at(time)
            self.totals = _totals(event.get("stats"))
            self.end = "completed" if event.get("status") == "success" else "error"
        else:
            self.log.skip(number, "an event of unknown type; skipped")

    def _message(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        text = string(event.get("content"))
        if event.get("role") == "user":
            self.say("user", text, source, time)
            return
        step = self.answer(source, time)
        if step.calls:  # a model call writes its text before its calls: this is the next one
            step = self.begin(source, time)
        step.text += text

    def _result(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        call = self.calls.get(string(event.get("tool_id")))
        if call is None:
            self.log.skip(source.line, "a tool result without its call; skipped")
            return
        text = string(event.get("output")) or string(mapping(event.get("error")).get("message"))
        call.result = Result(text, is_error=event.get("status") == "error", time=time, source=source)
        if isinstance(call.action, Shell):
            read_shell(text, call.action, call.result)
        step = self._open.get(self.lane)
        if step is not None and all(c.result is not None for c in step.calls):
            self.close()


def _totals(stats: Any) -> Usage | None:
    stats = mapping(stats)
    prompt, cached, output = (integer(stats.get(k)) for k in ("input_tokens", "cached", "output_tokens"))
    total = integer(stats.get("total_tokens"))
    if prompt is None and output is None:
        return None
    # The total includes the reasoning, for which there is no field of its own.
    reasoning = None if total is None or prompt is None or output is None else max(total - prompt - output, 0)
    return Usage(
        input=difference(prompt, cached),
        cache_read=cached,
        output=None if output is None else output + (reasoning or 0),
        reasoning=reasoning,
    )
