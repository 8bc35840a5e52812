"""Kiro: the sessions of its command line (``ID.jsonl`` and the newer ``messages.jsonl``), and of its editor."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogFile
from ..model import Action, Edit, EndState, FileChange, Shell, Source, Trajectory
from ..reader import LineReader, Reader
from ..tools import interpret, text_of
from .amazon_q import QSession
from .shared.values import flag, integer, iso_time, joined, mapping, objects, optional, seconds, sequence, string

_ENDS: dict[str, EndState] = {"end_turn": "completed", "cancelled": "interrupted", "max_turn_requests": "limit"}
_PREPARED = ("# System Prompt", "# Identity", "<identity>", "## Included Rules", "<key_kiro_features>", "<Env")
# What concerns the program alone.
_ASIDE = frozenset(
    """session_start turn_start session_metadata session_event usage_summary pending_interaction interaction_resolved
    tombstone""".split()
)


class _Session(QSession):
    def record(self, value: dict[str, Any], source: Source) -> None:
        data, payload = mapping(value.get("data")), mapping(value.get("payload"))
        if payload:
            self.event(payload, source, self.at(iso_time(value.get("timestamp"))))
        elif value.get("kind") in ("Prompt", "AssistantMessage", "ToolResults"):
            self.message(string(value["kind"]), data, source)
        elif value.get("kind") == "Compaction":
            self.say("compaction", string(data.get("summary")), source)
        else:
            kind = value.get("kind")
            self.log.skip(source.line, f"a record of the unknown kind {str(kind)[:40]!r}; skipped")

    def message(self, kind: str, data: dict[str, Any], source: Source) -> None:
        time = self.at(seconds(mapping(data.get("meta")).get("timestamp")))
        step = self.begin(source, time) if kind == "AssistantMessage" else None
        if step is not None:
            step.message_id, self.end = optional(data.get("message_id")), "completed"
        for block in objects(data.get("content")):
            name, inner = block.get("kind"), block.get("data")
            fields = mapping(inner)
            if name == "toolResult":
                values = [part.get("data") for part in objects(fields.get("content"))]
                self.returned(fields.get("toolUseId"), values, fields.get("status") == "error", source, time)
            elif name == "toolUse" and step is not None:
                self.end = None
                self.made(string(fields.get("name")), fields.get("input"), fields.get("toolUseId"), source, time)
            elif name == "thinking" and step is not None:
                step.reasoning = joined(step.reasoning, text_of(inner), by="\n\n")
            elif name == "text" and step is not None:
                step.text = joined(step.text, text_of(inner), by="\n\n")
            elif name == "text" and kind == "Prompt":
                self.end = None
                self.say("user", text_of(inner), source, time)

    def made(self, name: str, given: Any, identity: Any, source: Source, time: float | None) -> None:
        self.call(None, optional(identity) or f"line {source.line}", name, given, interpret(name, given), source, time)

    def event(self, payload: dict[str, Any], source: Source, time: float | None) -> None:
        kind, content = string(payload.get("type")), text_of(payload.get("content"))
        if kind == "user":
            self.end = None
            self.say("user", content, source, time)
        elif kind == "assistant" and payload.get("operationType") == "Summary":
            self.say("compaction", content, source, time)
        elif kind == "assistant":
            step = self.answer(source, time)
            if payload.get("operationType") == "Reasoning":
                step.reasoning = joined(step.reasoning, content, by="\n\n")
            else:
                step.text = joined(step.text, content, by="\n\n")
        elif kind == "tool_call":
            given: Any = next((payload[key] for key in ("args", "input", "arguments") if key in payload), {})
            self.made(string(payload.get("toolName")), given, payload.get("toolCallId"), source, time)
        elif kind == "tool_result":
            success, value = flag(payload.get("success")), payload.get("content")
            failed = None if success is None else not success
            self.returned(payload.get("toolCallId"), sequence(value) or [value or ""], failed, source, time)
        elif kind == "sub_agent_start":
            given = {"prompt": payload.get("prompt"), "description": payload.get("subAgentName")}
            self.made("subagent", given, payload.get("subSessionId"), source, time)
        elif kind == "sub_agent_complete":
            self.returned(payload.get("subSessionId"), [string(payload.get("response"))], False, source, time)
        elif kind == "turn_end":
            self.close()
            self.end = _ENDS.get(string(payload.get("stopReason")))
        elif kind not in _ASIDE:
            self.log.skip(source.line, f"an event of the unknown kind {kind[:40]!r}; skipped")

    def trajectory(self) -> Trajectory | None:
        if not self.steps:
            return None
        path = self.log.path
        beside = path.with_name("session.json") if path is not None and path.stem == "messages" else None
        about = {} if path is None else _load(beside or path.with_suffix(".json"))
        state = mapping(mapping(about.get("session_state")).get("rts_model_state"))
        places = [string(place) for place in sequence(about.get("workspacePaths"))]
        model = optional(mapping(state.get("model_info")).get("model_id")) or optional(about.get("modelId"))
        identity = optional(about.get("session_id")) or optional(about.get("id"))
        trajectory = Trajectory(
            identity or (path.parent.name if path is not None and beside is not None else self.log.stem),
            "kiro",
            Source(self.log.name, 1),
            agent="kiro",
            model=model,
            cwd=optional(about.get("cwd")) or next(filter(None, places), None),
            usage_complete=False,
        )
        self.link_lanes()
        return self.finish(trajectory)


def _load(path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return {}


class KiroReader(LineReader):
    format, session = "kiro", _Session
    marks = (b'"AssistantMessage"', b'"Prompt"', b'"payload"')

    def is_record(self, value: dict[str, Any]) -> bool:
        if value.get("kind") in ("Prompt", "AssistantMessage", "ToolResults"):
            return isinstance(mapping(value.get("data")).get("content"), list)
        payload = mapping(value.get("payload"))
        known = payload.get("type") in ("user", "assistant", "session_start", "tool_call")
        return known and value.keys() >= {"id", "timestamp", "payload"} and "type" not in value


class KiroIdeReader(Reader):
    """An execution of the editor: what was asked once, and the actions that followed; or the talk alone."""

    format, marks = "kiro-ide", (b'"actionType"', b'"executionId"', b'"workspaceDirectory"')

    def is_record(self, value: dict[str, Any]) -> bool:
        if "executionId" in value:
            return isinstance(value.get("actions"), list) or isinstance(value.get("chat"), list)
        return "workspaceDirectory" in value and isinstance(value.get("history"), list)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        document = mapping(log.document())
        session, source, about = _Execution(log), Source(log.name), mapping(mapping(document.get("input")).get("data"))
        for name in ("startTime", "endTime"):
            session.at(seconds(document.get(name)))
        for message in objects(about.get("messages")):
            session.talk(message, source, seconds(document.get("startTime")))
        for entry in objects(document.get("chat")) + objects(document.get("history")):
            session.talk(mapping(entry.get("message")) or entry, source, None)
        for action in objects(document.get("actions")):
            session.action(action, source)
        if "actions" not in document:
            log.skip(None, "what the agent did is in other files; only what was said is read")
        if session.steps:
            places = [string(place) for place in sequence(about.get("workspacePaths"))]
            identity = optional(document.get("executionId")) or optional(document.get("sessionId")) or log.stem
            trajectory = Trajectory(identity, self.format, source, agent="kiro", usage_complete=False)
            model = optional(about.get("modelId")) or optional(mapping(document.get("metadata")).get("modelId"))
            trajectory.model = model
            trajectory.cwd = next(filter(None, places), optional(document.get("workspaceDirectory")))
            trajectory.end = "completed" if document.get("status") == "succeed" else None
            yield session.finish(trajectory)


class _Execution(QSession):
    def talk(self, message: dict[str, Any], source: Source, time: float | None) -> None:
        role, text = message.get("role"), text_of(message.get("content"))
        if role in ("user", "human"):
            self.say("harness" if text.startswith(_PREPARED) else "user", text, source, time)
        elif role in ("assistant", "bot") and text:
            self.begin(source, time).text = text

    def action(self, value: dict[str, Any], source: Source) -> None:
        kind, time = string(value.get("actionType")), self.at(seconds(value.get("emittedAt")))
        given, output = mapping(value.get("input")), mapping(value.get("output"))
        said = next((found for key in ("message", "output", "text") if (found := string(output.get(key)))), "")
        if kind in ("say", "reasoning"):
            step = self.answer(source, time)
            step.text = joined(step.text, said if kind == "say" else "", by="\n\n")
            step.reasoning = joined(step.reasoning, said if kind == "reasoning" else "", by="\n\n")
            return
        identity = f"{string(value.get('actionId'))} {len(self.calls)}"
        call = self.call(None, identity, kind, given, _action(kind, given), source, time)
        failed = {"Success": False, "Accepted": False, "Error": True, "Failed": True, "Canceled": True}
        state = string(value.get("actionState"))
        self.returned(identity, [said], failed.get(state), source, time)
        if call.result is not None:
            call.result.interrupted, call.result.denied = state == "Canceled", state == "Canceled" and not output
            if isinstance(call.action, Shell):
                call.result.exit_status = integer(output.get("exitCode"))


def _action(kind: str, given: dict[str, Any]) -> Action:
    after, before = given.get("modifiedContent"), given.get("originalContent")
    if isinstance(after, str) and isinstance(given.get("file"), str):
        existed = isinstance(before, str) and (before != "" or kind == "replace")
        change = FileChange(given["file"], "modify" if existed else "create", after=after)
        change.before = before if existed and isinstance(before, str) else None
        return Edit([change])
    return interpret(kind, given)


READERS: tuple[Reader, ...] = (KiroReader(), KiroIdeReader())
