"""``claude -p --output-format stream-json``: one message per line on standard output (or all in one JSON array).

A dialect of the persisted log: fewer facts (the prompt is not in it; older versions write no times), other names. The
``result`` at the end of each turn states totals; recent versions count output only there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ...logfile import LogFile
from ...model import MAIN_LANE, EndState, Source, Trajectory
from ...reader import LineReader
from ...usage import TokenUsage, sum_usage, total
from ..shared.values import integer, iso_time, mapping, objects, optional, sequence, string
from .build import COUNTS, ClaudeBuilder
from .results import LinePlace

_TOTALS = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")


class ClaudeStream:
    """The reading of one stream."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.builder = ClaudeBuilder(log)
        self.session: str | None = None
        self.model: str | None = None
        self.end: EndState | None = None
        self.turns: list[dict[str, Any]] = []
        self.models: dict[str, Any] = {}
        self.cost: Any = None
        self._tasks: dict[str, str] = {}  # call -> id of the sub-agent it started
        self._denied: set[str] = set()

    def record(self, line: dict[str, Any], source: Source) -> None:
        builder = self.builder
        self.session = self.session or optional(line.get("session_id"))
        kind, message, identity = line.get("type"), line.get("message"), optional(line.get("uuid"))
        if kind == "result":
            self.result(line)
        elif kind == "system":
            self.system(line, source)
        elif kind in ("user", "assistant"):
            if not isinstance(message, dict):
                self.log.skip(source.line, f"a line of type {kind} without a message; skipped")
                return
            if not builder.is_new(identity):
                return
            time = builder.at(iso_time(line.get("timestamp")))
            at = LinePlace(self.lane(line), source, time)
            if kind == "assistant":
                builder.agent(message, identity, at)
            else:
                harness = line.get("isSynthetic") is True
                builder.user(message, at, outcome=line.get("tool_use_result"), harness=harness)

    def lane(self, line: dict[str, Any]) -> str:
        call = optional(line.get("parent_tool_use_id"))
        if call is None:
            return MAIN_LANE
        identity = optional(line.get("agent_id")) or self._tasks.get(call)
        if identity is None:
            identity = next((lane.id for lane in self.builder.lanes.values() if lane.parent_call == call), call)
        self.builder.add_lane(identity, parent_call=call, agent_type=optional(line.get("subagent_type")))
        return identity

    def system(self, line: dict[str, Any], source: Source) -> None:
        builder, kind, task = self.builder, line.get("subtype"), optional(line.get("task_id"))
        time = builder.at(iso_time(line.get("timestamp")))
        if kind == "init":
            if builder.cwd is None:
                builder.cwd, builder.version = optional(line.get("cwd")), optional(line.get("claude_code_version"))
                self.model = optional(line.get("model"))
        elif kind == "compact_boundary":
            builder.boundary(optional(line.get("uuid")), LinePlace(MAIN_LANE, source, time))
        elif kind == "task_started" and task is not None:
            self._tasks[string(line.get("tool_use_id"))] = task
        elif kind == "task_notification" and task is not None:
            builder.task_ended(task, string(line.get("summary")))

    def result(self, line: dict[str, Any]) -> None:
        kind, cost = optional(line.get("subtype")), line.get("total_cost_usd")
        if kind == "success":
            self.end = "error" if line.get("is_error") is True else "completed"
        elif kind is not None:
            self.end = "limit" if "max" in kind else "error"
        if isinstance(used := line.get("usage"), dict):
            self.turns.append(used)
        # Both count up over the turns of one process.
        self.models = mapping(line.get("modelUsage")) or self.models
        self.cost = cost if isinstance(cost, int | float) and not isinstance(cost, bool) else self.cost
        self._denied.update(string(denial.get("tool_use_id")) for denial in objects(line.get("permission_denials")))

    def trajectory(self) -> Trajectory | None:
        builder = self.builder
        if not builder.steps:
            return None
        trajectory = Trajectory(
            id=self.session or self.log.short_name,
            format="claude-code-stream",
            source=Source(self.log.name),
            agent="claude-code",
            model=self.model,
            end=self.end,
            states_failure=True,
        )
        builder.finish(trajectory)
        if self.cost is not None:
            trajectory.extra["total_cost_usd"] = self.cost
        for identity in self._denied:
            call = builder.calls.get(identity)
            if call is not None and call.result is not None:
                call.result.denied = True
        self._totals(trajectory)
        return trajectory

    def _totals(self, trajectory: Trajectory) -> None:
        """Where the steps' output counts are only snapshots of their beginning, the stated totals count instead."""
        steps = [step for step in trajectory.steps if step.usage is not None]
        main = sum(step.usage.output or 0 for step in steps if step.lane == MAIN_LANE and step.usage is not None)
        stated = sum(integer(turn.get("output_tokens")) or 0 for turn in self.turns)
        if main >= stated:
            if not self.turns:
                trajectory.usage_complete = False
            return
        for step in steps:
            if step.usage is not None and not self.builder.stopped(step):
                step.usage = replace(step.usage, output=None, reasoning=None)
        # The totals of the models that took steps here: the program asks others for titles and the like.
        used = {step.model for step in steps}
        totals = [mapping(t) for name, t in self.models.items() if name in used or name.split("[", 1)[0] in used]
        trajectory.usage = sum_usage(
            TokenUsage(*(integer(t.get(name)) for name in _TOTALS)) for t in totals
        ) or TokenUsage(*(total(integer(t.get(name)) for t in self.turns) for name in COUNTS))


class ClaudeStreamReader(LineReader):
    format, marks, session = "claude-code-stream", (b'"session_id"',), ClaudeStream

    def is_record(self, value: dict[str, Any]) -> bool:
        """Cursor's stream has the same envelope, but neither message ids nor a list of tools."""
        message = value.get("message")
        if not isinstance(value.get("session_id"), str):
            return False
        if value.get("type") in ("user", "assistant") and isinstance(message, dict):
            return "parent_tool_use_id" in value and "content" in message and "usage" not in value
        init = "claude_code_version" in value or isinstance(value.get("tools"), list)
        return init and value.get("subtype") == "init"

    def matches(self, log: LogFile) -> bool:
        if _DOCUMENT.match(log.head) is not None:
            return any(map(self.is_record, objects(_events(log.head_document)[:40])))
        return b'"qwen_code_version"' not in log.head and super().matches(log)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        if _DOCUMENT.match(log.head) is None:
            return super().read(log)
        stream = ClaudeStream(log)
        for value in _events(log.document()):
            if isinstance(value, dict):
                stream.record(value, Source(log.name))
            else:
                log.skip(None, "an element of the array is not a JSON object; skipped")
        found = stream.trajectory()
        return [] if found is None else [found]


# One document: an array, or the answer of the service that keeps the events of sessions on the web.
_DOCUMENT = re.compile(rb'\s*(?:\[|\{\s*"(?:data|events)"\s*:\s*\[)')


def _events(document: Any) -> list[Any]:
    held = mapping(document)
    return sequence(held.get("data", held.get("events")) if held else document)
