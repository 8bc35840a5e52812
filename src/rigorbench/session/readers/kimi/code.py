"""The events of Kimi Code, which has a file for each agent of a session."""

from __future__ import annotations

from typing import Any

from ...model import MAIN_LANE, EndState, Result, Source
from ...tools import text_of
from ..shared.values import integer, mapping, millis, optional, string
from .cli import CliSession

_USAGE = ("inputOther", "inputCacheRead", "inputCacheCreation", "output")
_ENDS: dict[str, EndState] = {"completed": "completed", "failed": "error", "error": "error", "max_steps": "limit"}


class KimiSession(CliSession):
    """A session of either program: messages that were taken over from Kimi CLI are among those of Kimi Code."""

    def record(self, value: dict[str, Any], source: Source, lane: str) -> None:
        kind, time = string(value.get("type")), self.at(millis(value.get("time")))
        if kind == "context.append_message":
            self.message(mapping(value.get("message")), source, time, lane)
        elif kind == "context.append_loop_event":
            self.loop_event(mapping(value.get("event")), source, time, lane)
        elif kind == "usage.record":
            self.count(mapping(value.get("usage")), _USAGE, lane)
        elif kind == "llm.request":
            model, step = optional(value.get("model")), self.last.get(lane)
            if value.get("kind") in (None, "loop") and step is not None and step.model is None:
                step.model = model
        elif kind in ("profile.bind", "config.update"):
            self.cwd = self.cwd or optional((mapping(value.get("environmentDisclosure")) or value).get("cwd"))
        elif kind == "context.apply_compaction":
            self.say("compaction", string(value.get("summary")), source, time, lane=lane)
        elif kind == "context.undo" and lane == MAIN_LANE:
            asked = [i for i, step in enumerate(self.steps) if step.role == "user"]
            self.take_back(asked[-min(integer(value.get("count")) or 1, len(asked))] if asked else len(self.steps))
        elif kind == "subagent.spawned":
            parent, agent = optional(value.get("parentToolCallId")), optional(value.get("subagentName"))
            self.add_lane(string(value.get("subagentId")), parent_call=parent, agent_type=agent)
        elif kind == "turn.cancel":
            self.say("interrupt", "", source, time, lane=lane)
        elif kind == "turn.ended" and lane == MAIN_LANE:
            self.end = _ENDS.get(string(value.get("reason")), "interrupted")
        else:
            super().record(value, source, lane)

    def loop_event(self, event: dict[str, Any], source: Source, time: float | None, lane: str) -> None:
        kind, key = event.get("type"), optional(event.get("stepUuid"))
        if kind == "step.begin":
            self.close(lane)
            self.answer(source, time, lane=lane, key=optional(event.get("uuid")))
        elif kind == "content.part":
            self.part(self.answer(source, time, lane=lane, key=key), mapping(event.get("part")))
        elif kind == "tool.call":
            step = self.answer(source, time, lane=lane, key=key)
            self.made(step, event, source, time, optional(event.get("toolCallId")))
        elif kind == "tool.result":
            value = mapping(event.get("result"))
            result = Result(text_of(value.get("output")), time=time, source=source)
            result.is_error, result.duration = value.get("isError") is True, millis(value.get("durationMs"))
            self.returned(event.get("toolCallId"), result, source, lane)
        elif kind == "step.end":
            self.count(mapping(event.get("usage")), _USAGE, lane, optional(event.get("messageId")))
        elif kind == "turn.interrupted":
            self.say("interrupt", string(event.get("message")), source, time, lane=lane)
        else:
            self.unknown(kind, source)
