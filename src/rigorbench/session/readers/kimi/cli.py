"""The events of Kimi CLI, and the messages that it keeps beside them; what its sub-agents do is among the events."""

from __future__ import annotations

import re
from typing import Any

from ...logfile import LogFile
from ...model import MAIN_LANE, Result, Shell, Source, Step, ToolCall, Trajectory
from ...tools import interpret, text_of
from ..shared.builder import SessionBuilder
from ..shared.results import stated_exit
from ..shared.usage import named_usage
from ..shared.values import arguments, flag, joined, mapping, objects, optional, seconds, string

_EXIT = re.compile(r"\n?Command failed with exit code: (-?\d{1,10})\.?\s*\Z")
_NOTE = re.compile(r"<system>(.*?)</system>\n?", re.DOTALL)
_AGENT = re.compile(r"agent_id: (\S+)")
_REFUSED = ("rejected by the user", "because the user rejected")
_USAGE = ("input_other", "input_cache_read", "input_cache_creation", "output")
PRIVATE = ("_system_prompt", "_checkpoint", "_usage")
# What the program keeps for itself: nothing of it was said or done.
_ASIDE = frozenset(
    """agent cron file_history forked goal mcp metadata micro_compaction full_compaction permission plan_mode plugin
    prompt runtime skill swarm_mode task token_counting tools ApprovalRequest ApprovalResponse BtwBegin BtwEnd
    CompactionEnd HookRequest HookResolved HookTriggered MCPLoadingBegin MCPLoadingEnd MCPStatusSnapshot Notification
    PlanDisplay QuestionRequest QuestionResponse StepRetry ToolCallRequest context.clear context.update_token_count llm
    step.retrying subagent turn""".split()
)


class CliSession(SessionBuilder):
    """What the events of both programs have in common, and those of Kimi CLI."""

    usage_lost = False
    stepped: frozenset[str] = frozenset()
    """The lanes whose steps are begun by events."""
    growing: tuple[ToolCall, str | None] | None = None
    """The last call of an event, and its arguments as text so far."""

    def read_file(self, log: LogFile, lane: str) -> None:
        for number, value in log.json_objects():
            self.record(value, Source(log.name, number), lane)

    def record(self, value: dict[str, Any], source: Source, lane: str) -> None:
        message = mapping(value.get("message"))
        if "role" in value:
            self.message(value, source, None, lane)
        elif "payload" in message:
            self.event(message, source, self.at(seconds(value.get("timestamp"))), lane)
        else:
            self.unknown(value.get("type"), source)

    def unknown(self, kind: Any, source: Source) -> None:
        if _ASIDE.isdisjoint((string(kind), string(kind).partition(".")[0])):
            self.log.skip(source.line, f"an event of the unknown kind {str(kind)[:40]!r}; skipped", file=source.file)

    def prompt(self, text: str, source: Source, time: float | None, lane: str, *, typed: bool = True) -> None:
        if lane == MAIN_LANE:
            self.end = None
        elif typed:
            self.add_lane(lane, prompt=text)
        self.say("user" if typed and lane == MAIN_LANE else "harness", text, source, time, lane=lane)

    def part(self, step: Step, part: dict[str, Any]) -> None:
        if part.get("type") == "think":
            step.reasoning += string(part.get("think"))
        else:
            step.text += string(part.get("text"))

    def made(
        self, step: Step | None, call: dict[str, Any], source: Source, time: float | None, identity: str | None
    ) -> None:
        raw = call.get("arguments", call.get("args", call.get("input")))
        name, given = string(call.get("name")), arguments(raw)
        made = self.call(step, identity or f"line {source.line}", name, given, interpret(name, given), source, time)
        self.growing = (made, raw) if isinstance(raw, str | None) else None

    def grow(self, part: str) -> None:
        """More of the arguments of the last call: a program that is told them bit by bit writes the bits."""
        if self.growing is not None:
            call, raw = self.growing
            self.growing = (call, raw := f"{raw or ''}{part}")
            call.input = arguments(raw)
            call.action = interpret(call.name, call.input)

    def returned(self, identity: Any, result: Result, source: Source, lane: str) -> None:
        """A result; what a model says after it is another answer where no event says that one begins."""
        if lane not in self.stepped:
            self.close(lane)
        result.denied = result.is_error is True and any(words in result.text[:300] for words in _REFUSED)

        def receive(call: ToolCall) -> None:
            if isinstance(call.action, Shell) and result.is_error is not False:
                stated_exit(result, _EXIT)
                result.timed_out = result.interrupted = "killed by timeout" in result.text[-200:]
            self.give(call, result)

        self.deliver(optional(identity), source, receive)

    def event(self, message: dict[str, Any], source: Source, time: float | None, lane: str) -> None:
        kind, payload = string(message.get("type")), mapping(message.get("payload"))
        if kind in ("TurnBegin", "SteerInput"):
            self.prompt(text_of(payload.get("user_input")), source, time, lane)
        elif kind == "StepBegin":
            self.stepped |= {lane}
            self.begin(source, time, lane=lane)
        elif kind == "ContentPart":
            self.part(self.answer(source, time, lane=lane), payload)
        elif kind == "ToolCall":
            call = mapping(payload.get("function")) or payload
            self.made(self.answer(source, time, lane=lane), call, source, time, optional(payload.get("id")))
        elif kind == "ToolCallPart":
            self.grow(string(payload.get("arguments_part")))
        elif kind == "ToolResult":
            value = mapping(payload.get("return_value")) or mapping(payload.get("result"))
            text = joined(text_of(value.get("output")).rstrip("\n"), string(value.get("message")))
            result = Result(text, is_error=flag(value.get("is_error")), time=time, source=source)
            self.returned(payload.get("tool_call_id"), result, source, lane)
        elif kind == "StatusUpdate":
            self.count(mapping(payload.get("token_usage")), _USAGE, lane, optional(payload.get("message_id")))
        elif kind == "SubagentEvent":
            parent = optional(payload.get("parent_tool_call_id")) or optional(payload.get("task_tool_call_id"))
            name = optional(payload.get("agent_id")) or parent or "sub-agent"
            self.add_lane(name, parent_call=parent, agent_type=optional(payload.get("subagent_type")))
            self.event(mapping(payload.get("event")), source, time, name)
        elif kind == "CompactionBegin":
            self.say("compaction", "", source, time, lane=lane)
        elif kind == "StepInterrupted":
            self.say("interrupt", "", source, time, lane=lane)
            self.end = "interrupted" if lane == MAIN_LANE else self.end
        elif kind == "TurnEnd":
            self.end = "completed" if lane == MAIN_LANE else self.end
        else:
            self.unknown(kind, source)

    def count(self, usage: dict[str, Any], names: tuple[str, ...], lane: str, message: str | None = None) -> None:
        step, counted = self.last.get(lane), named_usage(usage, names)
        if step is not None and counted is not None and step.usage in (None, counted):
            step.usage, step.message_id = counted, message or step.message_id
        elif counted is not None:
            self.usage_lost = True

    def message(self, value: dict[str, Any], source: Source, time: float | None, lane: str) -> None:
        """A message as the model gets it: of ``context.jsonl``, or added to the context of Kimi Code."""
        role, text = value.get("role"), text_of(value.get("content"))
        origin = mapping(value.get("origin")).get("kind")
        if role == "user":
            typed = origin in (None, "user") or (lane != MAIN_LANE and origin == "system_trigger")
            self.prompt(
                text, source, time, lane, typed=typed and not text.startswith(("<system>", "<system-reminder>"))
            )
        elif role == "assistant":
            step = self.begin(source, time, lane=lane)
            content = value.get("content")
            for part in [{"text": content}] if isinstance(content, str) else objects(content):
                self.part(step, part)
            for call in objects(value.get("tool_calls") or value.get("toolCalls")):
                self.made(step, mapping(call.get("function")) or call, source, time, optional(call.get("id")))
        elif role == "tool":
            result = Result(text, time=time, source=source)
            if (note := _NOTE.match(text)) is not None:  # what the tool says of the output is before it here
                result.text = joined(text[note.end() :].rstrip("\n"), note[1].removeprefix("ERROR: "))
                result.is_error = note[1].startswith("ERROR")
            self.returned(value.get("tool_call_id") or value.get("toolCallId"), result, source, lane)
        elif role not in PRIVATE:
            self.log.skip(source.line, f"a message of the unknown role {str(role)[:40]!r}; skipped", file=source.file)

    def trajectory(self, identity: str, cwd: str | None) -> Trajectory | None:
        """None: nobody said or did anything."""
        self.interleave()
        results = [(call.id, call.result.text) for s in self.steps for call in s.calls if call.result is not None]
        named = {call: agent[1] for call, text in results if call in self.spawns and (agent := _AGENT.match(text))}
        self.link_lanes(named)
        # A step begins before the model answers; one that never did is none.
        self.steps = [s for s in self.steps if s.role != "agent" or s.text or s.reasoning or s.calls or s.usage]
        if not self.steps:
            return None
        trajectory = Trajectory(
            identity,
            "kimi",
            Source(self.log.name),
            agent="kimi",
            cwd=cwd,
            usage_complete=not self.usage_lost and all(s.usage for s in self.steps if s.role == "agent"),
            states_failure=True,
        )
        return self.finish(trajectory)
