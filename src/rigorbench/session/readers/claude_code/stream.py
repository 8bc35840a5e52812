"""``claude -p --output-format stream-json``: one message per line on standard output (or all in one JSON array).

A dialect of the persisted log: fewer facts (the prompt is not in it; older versions write no times), other names. The
``result`` at the end of each turn states totals; recent versions count output only there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ...logfile import LogFile
from ...model import MAIN_LANE, EndState, Source, Trajectory
from ...reader import Reader
from ...usage import TokenUsage, sum_usage, total
from ..shared.values import iso_time, sequence
from .build import ClaudeBuilder
from .results import LinePlace
from .wire import ClaudeTokens, ModelTotals, StreamLine, lenient, streamed

_PARTIAL = b'{"type":"stream_event"'


class ClaudeStreamReader(Reader):
    format = "claude-code-stream"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if b'"session_id"' not in head or b'"qwen_code_version"' in head:
            return False
        if b'"parent_tool_use_id"' not in head and b'"subtype"' not in head:
            return False
        is_array = head.lstrip()[:1] == b"["
        return any(_is_line(value) for value in (sequence(log.head_document)[:40] if is_array else log.head_objects))

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        stream = ClaudeStream(log)
        if log.head.lstrip()[:1] == b"[":
            for value in sequence(log.document()):
                if isinstance(value, dict):
                    stream.line(lenient(StreamLine, value), Source(log.name))
                else:
                    log.skip(None, "an element of the array is not a JSON object; skipped")
        else:
            stream.read_lines()
        if stream.builder.steps:
            yield stream.finish()


def _is_line(value: Any) -> bool:
    """Cursor's stream has the same envelope, but neither message ids nor a list of tools."""
    if not isinstance(value, dict) or not isinstance(value.get("session_id"), str):
        return False
    message = value.get("message")
    if value.get("type") in ("user", "assistant") and isinstance(message, dict):
        return "parent_tool_use_id" in value and "content" in message and "usage" not in value
    return value.get("subtype") == "init" and ("claude_code_version" in value or isinstance(value.get("tools"), list))


class ClaudeStream:
    """The reading of one stream."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.builder = ClaudeBuilder(log)
        self.session: str | None = None
        self.model: str | None = None
        self.end: EndState | None = None
        self.turns: list[ClaudeTokens] = []
        self.models: dict[str, ModelTotals] = {}
        self.cost: float | None = None
        self._tasks: dict[str, str] = {}  # call -> id of the sub-agent it started
        self._denied: set[str] = set()

    def read_lines(self) -> None:
        log = self.log
        for number, raw in log.lines():
            if raw.startswith(_PARTIAL):
                continue
            source = Source(log.name, number)
            try:
                self.line(streamed.decode(raw), source)
                continue
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                pass
            for value in log.line_objects(number, raw):
                self.line(lenient(StreamLine, value), source)

    def line(self, line: StreamLine, source: Source) -> None:
        builder = self.builder
        if line.sessionId is not None and self.session is None:
            self.session = line.sessionId
        kind = line.type
        if kind == "result":
            self.result(line)
        elif kind == "system":
            self.system(line, source)
        elif kind in ("user", "assistant"):
            if line.message is None:
                self.log.skip(source.line, f"a line of type {kind} without a message; skipped")
                return
            if not builder.is_new(line.uuid):
                return
            time = builder.at(iso_time(line.timestamp))
            at = LinePlace(self.lane(line), source, time)
            if kind == "assistant":
                builder.agent(line.message, line.uuid, at)
            else:
                builder.user(line.message, at, outcome=line.toolUseResult, harness=line.isSynthetic is True)

    def lane(self, line: StreamLine) -> str:
        call = line.parentToolUseID
        if call is None:
            return MAIN_LANE
        identity = line.agentId or self._tasks.get(call)
        if identity is None:
            identity = next((lane.id for lane in self.builder.lanes.values() if lane.parent_call == call), call)
        self.builder.add_lane(identity, parent_call=call, agent_type=line.subagent_type)
        return identity

    def system(self, line: StreamLine, source: Source) -> None:
        builder = self.builder
        time = builder.at(iso_time(line.timestamp))
        if line.subtype == "init":
            if builder.cwd is None:
                builder.cwd, builder.version, self.model = line.cwd, line.version, line.model
        elif line.subtype == "compact_boundary":
            builder.boundary(line.uuid, LinePlace(MAIN_LANE, source, time))
        elif line.subtype == "task_started" and line.tool_use_id is not None and line.task_id is not None:
            self._tasks[line.tool_use_id] = line.task_id
        elif line.subtype == "task_notification" and line.task_id is not None:
            builder.task_ended(line.task_id, line.summary or "")

    def result(self, line: StreamLine) -> None:
        if line.subtype == "success":
            self.end = "error" if line.is_error else "completed"
        elif line.subtype is not None:
            self.end = "limit" if "max" in line.subtype else "error"
        if line.usage is not None:
            self.turns.append(line.usage)
        # Both count up over the turns of one process.
        self.models = line.modelUsage or self.models
        self.cost = self.cost if line.total_cost_usd is None else line.total_cost_usd
        for denial in line.permission_denials or ():
            if denial.tool_use_id is not None:
                self._denied.add(denial.tool_use_id)

    def finish(self) -> Trajectory:
        builder = self.builder
        trajectory = Trajectory(
            id=self.session or self.log.short_name,
            format="claude-code-stream",
            source=Source(self.log.name),
            steps=[],
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
        stated = sum(turn.output_tokens or 0 for turn in self.turns)
        if main >= stated:
            if not self.turns:
                trajectory.usage_complete = False
            return
        for step in steps:
            if step.usage is not None and not self.builder.stopped(step):
                step.usage = msgspec.structs.replace(step.usage, output=None, reasoning=None)
        # The totals of the models that took steps here: the program asks others for titles and the like.
        used = {step.model for step in steps}
        totals = [t for name, t in self.models.items() if name in used or name.split("[", 1)[0] in used]
        trajectory.usage = sum_usage(
            TokenUsage(t.inputTokens, t.cacheReadInputTokens, t.cacheCreationInputTokens, t.outputTokens)
            for t in totals
        ) or TokenUsage(
            total(t.input_tokens for t in self.turns),
            total(t.cache_read_input_tokens for t in self.turns),
            total(t.cache_creation_input_tokens for t in self.turns),
            stated,
        )
