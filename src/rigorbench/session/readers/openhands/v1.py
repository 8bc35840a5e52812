"""OpenHands V1 events: what the software-agent SDK writes, one event per file (or line), usage apart in the state.

An action and its observation are joined by the call's id; actions of one model answer by ``llm_response_id``, which is
also what joins them to their token counts in ``base_state.json``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...logfile import LogFile
from ...model import Action, EndState, Other, Result, Role, Shell, ShellOutput, Source, Spawn, Step, ToolCall
from ...tools import interpret, text_of
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.values import arguments, iso_time, joined, mapping, optional, sequence, string
from .common import complete_edit, note_cut, note_exit, plan_of, usage_of

Event = tuple[Source, dict[str, Any]]

KINDS = frozenset(
    "SystemPromptEvent MessageEvent ActionEvent ObservationEvent UserRejectObservation AgentErrorEvent Condensation "
    "CondensationSummaryEvent CondensationRequest PauseEvent InterruptEvent ConversationStateUpdateEvent "
    "ConversationErrorEvent".split()
)


def token_usages(stats: Any) -> dict[str, TokenUsage]:
    """Usage by ``response_id``, over the agent, its condenser and its sub-agents."""
    found: dict[str, TokenUsage] = {}
    for metrics in mapping(mapping(stats).get("usage_to_metrics")).values():
        for index, counts in enumerate(sequence(mapping(metrics).get("token_usages"))):
            usage = usage_of(mapping(counts))
            if usage is not None:
                found[string(mapping(counts).get("response_id")) or f"#{len(found)}.{index}"] = usage
    return found


class Conversation(SessionBuilder):
    """Turns the events of one conversation (the main one or a sub-agent's) into steps."""

    def __init__(self, log: LogFile, lane: str, model: str | None) -> None:
        super().__init__(log, lane)
        self.model = model

    def read(self, events: Iterable[Event]) -> Conversation:
        for source, event in events:
            kind = event.get("kind")
            if kind == "ActionEvent":
                self._act(source, event)
            elif kind == "ObservationEvent":
                self._observe(source, event)
            elif kind == "MessageEvent":
                self._message(source, event)
            elif kind in ("AgentErrorEvent", "UserRejectObservation"):
                self._refuse(source, event)
            elif kind in ("Condensation", "CondensationSummaryEvent"):
                summary = string(event.get("summary"))
                if summary or kind == "Condensation":
                    self._say("compaction", source, event, summary)
            elif kind in ("PauseEvent", "InterruptEvent"):
                self._say("interrupt", source, event, string(event.get("detail")))
                self.end = "interrupted"
            elif kind == "ConversationErrorEvent":
                text = joined(string(event.get("code")), string(event.get("detail")))
                self._say("harness", source, event, text)
                self.end = "limit" if "MaxIterations" in text or "iteration" in text.lower()[:200] else "error"
            elif kind == "ConversationStateUpdateEvent" and event.get("key") == "execution_status":
                self.end = end_of(event.get("value")) or self.end
        return self

    def join_usage(self, usages: dict[str, TokenUsage]) -> None:
        """Gives each step its tokens and takes them out of ``usages``."""
        for key, step in self.answers.items():
            step.usage = usages.pop(key, step.usage)

    def _say(self, role: Role, source: Source, event: dict[str, Any], text: str) -> None:
        self.say(role, text, source, iso_time(event.get("timestamp")))

    def _message(self, source: Source, event: dict[str, Any]) -> None:
        message = mapping(event.get("llm_message"))
        text = text_of(message.get("content"))
        if event.get("source") == "agent":
            step = self._answer(source, event)
            step.text = joined(step.text, text, by="\n\n")
            step.reasoning = step.reasoning or string(message.get("reasoning_content"))
            return
        human = event.get("source") == "user" and self.lane == "main" and not event.get("sender")
        self._say("user" if human else "harness", source, event, text)
        added = text_of(event.get("extended_content"))
        if added:
            self._say("harness", source, event, added)

    def _answer(self, source: Source, event: dict[str, Any]) -> Step:
        key = string(event.get("llm_response_id"))
        step = self.answer(source, iso_time(event.get("timestamp")), key=key or f"\x00{len(self.steps)}")
        step.message_id = key or None
        return step

    def _act(self, source: Source, event: dict[str, Any]) -> None:
        step = self._answer(source, event)
        thought = text_of(event.get("thought"))
        if thought and thought != step.text:
            step.text = joined(step.text, thought, by="\n\n")
        reasoning = string(event.get("reasoning_content")) or joined(
            *(string(mapping(b).get("thinking")) for b in sequence(event.get("thinking_blocks"))), by="\n\n"
        )
        if reasoning and reasoning != step.reasoning:
            step.reasoning = joined(step.reasoning, reasoning, by="\n\n")
        asked = mapping(event.get("tool_call"))
        name = string(event.get("tool_name")) or string(asked.get("name"))
        action = mapping(event.get("action"))
        given = asked.get("arguments")
        args = arguments(given) if isinstance(given, dict) or optional(given) else None
        if args is None:
            args = {k: v for k, v in action.items() if k != "kind"}
        identity = string(event.get("tool_call_id")) or string(asked.get("id")) or string(event.get("id"))
        does = _action(name, {**action, **args} if isinstance(args, dict) else action)
        if isinstance(does, Shell):
            does.cwd = does.cwd or self.where
        call = self.call(step, identity, name, args, does, source, iso_time(event.get("timestamp")))
        if isinstance(event.get("id"), str):
            self.calls.setdefault(event["id"], call)

    def _find(self, source: Source, event: dict[str, Any]) -> ToolCall | None:
        call = self.calls.get(string(event.get("tool_call_id"))) or self.calls.get(string(event.get("action_id")))
        if call is None:
            self.log.skip(source.line, "a tool result without its call; skipped", file=source.file)
        return call

    def _observe(self, source: Source, event: dict[str, Any]) -> None:
        call = self._find(source, event)
        if call is None:
            return
        observed = mapping(event.get("observation"))
        content = observed.get("content")
        text = text_of(content) if content is not None else string(observed.get("output"))
        result = Result(text, time=iso_time(event.get("timestamp")), source=source)
        error = observed.get("error")  # of versions before is_error
        failed = observed.get("is_error", error if isinstance(error, bool) else None)
        if isinstance(failed, bool):
            result.is_error = failed
        elif isinstance(error, str) and error:
            result.is_error, result.text = True, text or error
        metadata = mapping(observed.get("metadata"))
        if isinstance(call.action, Shell | ShellOutput):
            note_exit(result, observed.get("exit_code", metadata.get("exit_code")), string(metadata.get("suffix")))
            if observed.get("timeout") is True:
                result.timed_out = result.interrupted = True
            self.where = optional(metadata.get("working_dir")) or self.where
            self.cwd = self.cwd or self.where
        else:
            complete_edit(call.action, observed)
        note_cut(result)
        if call.result is None or call.result.is_error:
            call.result = result
        if isinstance(call.action, Spawn) and call.action.description is None:
            call.action.description = optional(observed.get("subagent"))

    def _refuse(self, source: Source, event: dict[str, Any]) -> None:
        text = string(event.get("error")) or string(event.get("rejection_reason"))
        result = Result(text, is_error=True, time=iso_time(event.get("timestamp")), source=source)
        result.denied = event.get("kind") == "UserRejectObservation"
        if (call := self._find(source, event)) is not None:
            call.result = result


def end_of(status: Any) -> EndState | None:
    """How a conversation with this ``execution_status`` ended; None while it goes on."""
    ends: dict[str, EndState] = {"finished": "completed", "error": "error", "stuck": "limit", "paused": "interrupted"}
    return ends.get(string(status).lower())


def _action(name: str, args: dict[str, Any]) -> Action:
    if args.get("reset") is True and not args.get("command"):
        return Other("reset", inert=True)
    if args.get("kind") == "TaskTrackerAction" or name == "task_tracker":
        return plan_of(args) or Other("view", inert=True)
    if name == "delegate":
        tasks = mapping(args.get("tasks"))
        return Spawn("\n\n".join(filter(None, map(string, tasks.values())))) if tasks else Other("spawn", inert=True)
    return interpret(name, args)
