"""Grok Build: the messages of a session folder, and from the updates beside them times, tokens and failed calls.

A sub-agent has a folder like any other; its ``summary.json`` and its parent's ``subagents/ID`` say whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogError, LogFile
from ..model import MAIN_LANE, Result, Role, Shell, Source, Trajectory
from ..reader import Reader
from ..tools import interpret, text_of
from ..usage import TokenUsage, sum_usage
from .shared.builder import SessionBuilder
from .shared.results import stated_exit
from .shared.usage import named_usage
from .shared.values import arguments, is_file_name, iso_time, joined, mapping, objects, optional, seconds, string

_EXIT = re.compile(r"\A(?:exit|Exit code): (-?\d{1,10})[^\n]*\n?")
_KILLED = re.compile(r"\A(?:exit|Exit code): killed \((\w+)\)")
_QUERY = re.compile(r"\s*<user_query>\n?(.*?)\n?</user_query>\s*", re.DOTALL)
_USAGE = ("inputTokens", "cachedReadTokens", "cacheCreationTokens", "outputTokens", "reasoningTokens")
_TYPED = (None, "interjection")


class _Session(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.usages: dict[str, TokenUsage | None] = {}
        self.turns = 0

    def read_lane(self, log: LogFile, lane: str) -> None:
        self.lane = lane
        for number, value in log.json_objects():
            self.item(value, Source(log.name, number))
        self.lane = MAIN_LANE
        if log.path is not None:
            self.read_updates(log.path.with_name("updates.jsonl"))
        for step in self.steps:
            if step.time is None and step.calls:
                step.time = step.calls[0].time

    def item(self, value: dict[str, Any], source: Source) -> None:
        kind = value.get("type")
        if kind == "user":
            self.heard(text_of(value.get("content")), value, source)
        elif kind == "reasoning":
            parts = objects(value.get("summary")) + objects(value.get("content"))
            step = self.answer(source)
            step.reasoning = joined(step.reasoning, *(string(part.get("text")) for part in parts), by="\n\n")
        elif kind == "assistant":
            step = self.answer(source)
            step.text, step.model = text_of(value.get("content")), optional(value.get("model_id"))
            for made in objects(value.get("tool_calls")):
                self.made(string(made.get("name")), arguments(made.get("arguments")), made.get("id"), source)
            self.close()
        elif kind == "backend_tool_call":
            made = mapping(value.get("kind"))
            self.made(string(made.get("tool_type")), made.get("action"), made.get("id"), source)
        elif kind == "tool_result":
            call = self.waiting_call(string(value.get("tool_call_id")), source)
            if call is not None:
                result = Result(text_of(value.get("content")), source=source)
                if isinstance(call.action, Shell):
                    _shell_result(result)
                self.give(call, result)
        elif kind != "system":
            self.log.skip(source.line, f"an item of the unknown kind {str(kind)[:40]!r}; skipped", file=source.file)

    def made(self, name: str, given: Any, identity: Any, source: Source) -> None:
        self.call(None, optional(identity) or f"line {source.line}", name, given, interpret(name, given), source)

    def heard(self, text: str, value: dict[str, Any], source: Source) -> None:
        stopped, reason = optional(value.get("prior_turn_interrupt")), value.get("synthetic_reason")
        if stopped is not None:
            self.say("interrupt", stopped, source)
        role: Role = (
            "user" if reason in _TYPED and not text.startswith(("<user_info>", "<system-reminder>")) else "harness"
        )
        if reason == "compaction_meta":
            role = "compaction"
            self.log.skip(source.line, "what was said before the compaction is not kept", file=source.file)
        elif role == "user" and (asked := _QUERY.fullmatch(text)) is not None:
            text = asked[1]
        self.turns += role == "user" and reason is None
        if role == "user" and self.lane in self.lanes:
            role = "harness"
            self.add_lane(self.lane, prompt=text)
        self.say(role, text, source)

    def read_updates(self, path: Path) -> None:
        """Times and failures of calls, and what each turn used; the text of the updates is that of the messages."""
        try:
            updates = list(self.log.sibling(path).json_objects()) if path.is_file() else []
        except LogError as error:
            self.log.skip(None, error.reason, file=str(path))
            return
        for number, value in updates:
            update, time = mapping(mapping(value.get("params")).get("update")), seconds(value.get("timestamp"))
            kind, call = update.get("sessionUpdate"), self.calls.get(string(update.get("toolCallId")))
            if call is not None and kind == "tool_call":
                call.time = self.at(time)
            elif call is not None and call.result is not None and update.get("status") in ("completed", "failed"):
                call.result.time = self.at(time)
                if not isinstance(call.action, Shell):  # of a command, the status says it
                    call.result.is_error = update["status"] == "failed"
            elif kind == "turn_completed":
                turn = optional(update.get("prompt_id")) or f"{path} {number}"
                self.usages[turn] = named_usage(mapping(update.get("usage")), _USAGE, cache_in_prompt=True)

    def read_agents(self, folder: Path) -> None:
        for about in sorted(folder.glob("subagents/*/meta.json")):
            name = about.parent.name
            for log in sorted(folder.parent.parent.glob(f"*/{name}/chat_history.jsonl"))[:1]:
                self.add_lane(name, agent_type=optional(_load(log.with_name("summary.json")).get("agent_name")))
                self.read_agent_file(log, self.read_lane, name)
                if prompt := optional(_load(about).get("prompt")):
                    self.lanes[name].prompt = prompt

    def trajectory(self) -> Trajectory | None:
        path = self.log.path
        summary = {} if path is None else _load(path.with_name("summary.json"))
        if path is not None:
            self.read_agents(path.parent)
        if not self.steps:
            return None
        self.interleave()
        self.link_lanes()
        about = mapping(summary.get("info"))
        for name in ("created_at", "updated_at"):
            self.at(iso_time(summary.get(name)))
        usage = sum_usage(self.usages.values())
        trajectory = Trajectory(
            optional(about.get("id")) or (self.log.stem if path is None else path.parent.name),
            "grok",
            Source(self.log.name, 1),
            agent="grok",
            cwd=optional(about.get("cwd")),
            branch=optional(summary.get("head_branch")),
            usage=usage,
            usage_complete=usage is not None and len(self.usages) >= self.turns,
        )
        return self.finish(trajectory)


def _shell_result(result: Result) -> None:
    stated_exit(result, _EXIT)
    killed = _KILLED.match(result.text)
    result.interrupted, result.timed_out = killed is not None, killed is not None and killed[1] == "timeout"
    result.running = result.text.startswith("[Command moved to background]")


def _load(path: Path) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError):
        return {}


class GrokReader(Reader):
    format, marks = "grok", (b'"chat_format_version"', b'"tool_result"', b'"assistant"', b'"prompt_index"')

    def is_record(self, value: dict[str, Any]) -> bool:
        kind = value.get("type")
        if kind == "assistant":
            return isinstance(value.get("content"), str) and ("model_id" in value or "tool_calls" in value)
        if kind == "tool_result":
            return {"type", "tool_call_id", "content"} <= value.keys()
        return kind == "user" and "content" in value and ("prompt_index" in value or "synthetic_reason" in value)

    def owner(self, path: Path) -> Path:
        """The session that started the sub-agent whose this is."""
        summary = _load(path.with_name("summary.json"))
        parent = string(summary.get("parent_session_id"))
        if summary.get("session_kind") != "subagent" or not is_file_name(parent):
            return path
        name = path.parent.name
        for about in path.parent.parent.parent.glob(f"*/*/subagents/{name}/meta.json"):
            log = about.parents[2] / "chat_history.jsonl"
            if about.parents[2].name == parent and log.is_file():
                return log
        return path

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        session = _Session(log)
        session.read_lane(log, MAIN_LANE)
        found = session.trajectory()
        return [] if found is None else [found]


READERS = (GrokReader(),)
