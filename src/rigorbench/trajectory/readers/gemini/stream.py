"""The standard output of ``gemini --output-format stream-json``: events without token counts per model call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...logfile import LogFile
from ...model import Result, Source, Step, ToolCall, Trajectory, Usage
from ...tools import interpret
from ..shared.loose import difference, integer, iso_time, mapping, optional, span, step_times, string


class GeminiStreamReader:
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

    def owner(self, path: Path) -> Path | None:
        return path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        found = Trajectory(
            id=log.path.stem if log.path is not None else log.name,
            format=self.format,
            source=Source(log.name, 1),
            steps=[],
            agent="gemini-cli",
        )
        stream = _Stream(log, found)
        for number, event in log.json_lines():
            if isinstance(event, dict):
                stream.take(number, event)
            else:
                log.skip(number, "not a JSON object; skipped")
        found.started_at, found.ended_at = span((*stream.times, *step_times(found.steps)))
        if found.steps:
            yield found


class _Stream:
    def __init__(self, log: LogFile, trajectory: Trajectory) -> None:
        self.log, self.trajectory = log, trajectory
        self.open: Step | None = None
        self.calls: dict[str, ToolCall] = {}
        self.times: list[float | None] = []

    def take(self, number: int, event: dict[str, Any]) -> None:
        kind = event.get("type")
        source = Source(self.log.name, number)
        time = iso_time(event.get("timestamp"))
        if kind == "init":
            self.trajectory.id = string(event.get("session_id")) or self.trajectory.id
            self.trajectory.model = optional(event.get("model"))
            self.times.append(time)
        elif kind == "message":
            self._message(event, source, time)
        elif kind == "tool_use":
            name, args = string(event.get("tool_name")), event.get("parameters")
            call = ToolCall(string(event.get("tool_id")), name, args, interpret(name, args), source, time=time)
            self._agent(source, time).calls.append(call)
            self.calls[call.id] = call
        elif kind == "tool_result":
            self._result(event, source, time)
        elif kind == "error":
            self._add(Step("harness", source, text=string(event.get("message")), time=time))
        elif kind == "result":
            self.times.append(time)
            self.trajectory.usage = _totals(event.get("stats"))
            self.trajectory.end = "completed" if event.get("status") == "success" else "error"
        else:
            self.log.skip(number, "an event of unknown type; skipped")

    def _message(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        text = string(event.get("content"))
        if event.get("role") == "user":
            self._add(Step("user", source, text=text, time=time))
        else:
            step = self._agent(source, time, starts_text=True)
            step.text += text

    def _add(self, step: Step) -> None:
        self.open = None
        self.trajectory.steps.append(step)

    def _agent(self, source: Source, time: float | None, *, starts_text: bool = False) -> Step:
        """The step under way. A model call says its text before its calls; a result ends it."""
        if self.open is None or (starts_text and self.open.calls):
            self.open = Step("agent", source, model=self.trajectory.model, time=time)
            self.trajectory.steps.append(self.open)
        return self.open

    def _result(self, event: dict[str, Any], source: Source, time: float | None) -> None:
        call = self.calls.get(string(event.get("tool_id")))
        if call is None:
            self.log.skip(source.line, "a tool result without its call; skipped")
            return
        failed = event.get("status") == "error"
        text = string(event.get("output")) or string(mapping(event.get("error")).get("message"))
        call.result = Result(text, is_error=failed, time=time, source=source)
        step = self.open
        if step is not None and all(c.result is not None for c in step.calls):
            self.open = None


def _totals(stats: Any) -> Usage | None:
    stats = mapping(stats)
    prompt, cached, output = (integer(stats.get(k)) for k in ("input_tokens", "cached", "output_tokens"))
    total = integer(stats.get("total_tokens"))
    if prompt is None and output is None:
        return None
    # The total holds the reasoning, which no field of its own states.
    reasoning = None if total is None or prompt is None or output is None else max(total - prompt - output, 0)
    return Usage(
        input=difference(prompt, cached),
        cache_read=cached,
        output=None if output is None else output + (reasoning or 0),
        reasoning=reasoning,
    )
