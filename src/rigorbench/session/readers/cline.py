"""Cline's sessions: a folder for each, with the messages of its sub-agents in files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..cost import keep_cost
from ..logfile import LogError, LogFile
from ..model import MAIN_LANE, Edit, EndState, Result, Shell, Source, Step, ToolCall, Trajectory
from ..reader import Reader
from ..tools import text_of
from ..usage import TokenUsage
from .shared.messages import MessageSession
from .shared.usage import named_usage
from .shared.values import arguments, flag, integer, iso_time, mapping, millis, objects, optional, sequence, string

WORDS = re.compile(r"<(task|user_input|user_message|feedback|answer)(?: [^>\n]*)?>\s*(.*?)\s*</\1>", re.DOTALL)
_BLOCK = re.compile(
    r"^[-<]{3,} SEARCH>?\n(?::start_line:[^\n]*\n)?(?:-{5,}\n)?(.*?)^={3,}\n(.*?)^[+>]{3,} REPLACE>?$",
    re.DOTALL | re.MULTILINE,
)
_EXIT = re.compile(
    r"\A\[?Command (?:(?!Output:)[\s\S]){0,400}?\b(?:exited with|exit) code:? (-?\d{1,10})\b\]?", re.IGNORECASE
)
_DENIED = re.compile(r'\A(?:The user denied this operation|\{\s*"status":\s*"denied")')
_FAILED = re.compile(r'\A(?:The tool execution failed|\{\s*"status":\s*"error")')
_TOKENS = ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens")
_ENDS: dict[str, EndState] = {
    "completed": "completed",
    "failed": "error",
    "error": "error",
    "aborted": "interrupted",
    "cancelled": "interrupted",
}


class ClineSession(MessageSession):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.costs: list[Any] = []

    def add(self, message: dict[str, Any]) -> Step | None:
        source, role = Source(self.log.name), string(message.get("role"))
        if role == "assistant":
            self.close()
        step = self.message(role, message.get("content"), source, millis(message.get("ts")))
        if step is not None:
            info, metrics = mapping(message.get("modelInfo")), mapping(message.get("metrics"))
            step.message_id = optional(message.get("id"))
            step.model = optional(info.get("id")) or optional(info.get("modelId")) or self.model
            step.usage = _usage(metrics)
            self.costs.append(metrics.get("cost"))
        return step

    def called(
        self, step: Step, identity: str | None, name: str, given: Any, source: Source, time: float | None
    ) -> ToolCall:
        commands = mapping(given).get("commands")
        if commands is None:
            call = super().called(step, identity, name, given, source, time)
            blocks = _BLOCK.findall(string(mapping(given).get("diff")))
            if blocks and isinstance(call.action, Edit) and len(call.action.changes) == 1:
                call.action.changes[0].hunks = [(old.removesuffix("\n"), new.removesuffix("\n")) for old, new in blocks]
            return call
        several = [c if isinstance(c, dict) else {"command": c} for c in sequence(commands) or [commands]]
        first = super().called(step, identity, name, several[0], source, time)
        for number, command in enumerate(several[1:], 2):
            super().called(step, f"{first.id} {number}", name, command, source, time)
        return first

    def receive(self, call: ToolCall, block: dict[str, Any], source: Source, time: float | None) -> None:
        content, failed = arguments(block.get("content")), flag(block.get("is_error"))
        outcomes = [o for o in (content if isinstance(content, list) else [content]) if "query" in mapping(o)]
        if not outcomes:
            given = content.get("text") if isinstance(content, dict) else block.get("content")
            self.received(call, text_of(given), failed, source, time)
        told = [text_of(outcome.get("result")) or string(outcome.get("error")) for outcome in outcomes]
        ended = [failed if (s := flag(outcome.get("success"))) is None else not s for outcome in outcomes]
        if outcomes and not isinstance(call.action, Shell):
            self.received(call, "\n".join(told), True in ended or ended[0], source, time)
            return
        for number, (text, failure) in enumerate(zip(told, ended, strict=True), 1):
            one = call if number == 1 else self.calls.get(f"{call.id} {number}")
            if one is not None:
                self.received(one, text, failure, source, time)

    def received(self, call: ToolCall, text: str, failed: bool | None, source: Source, time: float | None) -> None:
        result = Result(text, is_error=failed, time=time, source=source)
        result.denied = _DENIED.match(text) is not None
        if result.denied or _FAILED.match(text) is not None:
            result.is_error = True
        if isinstance(call.action, Shell):
            ended = _EXIT.match(text)
            result.exit_status = int(ended[1]) if ended is not None else None
            result.running = "still running" in text[:200]
            result.timed_out = result.interrupted = re.match(r"Command (?:execution )?timed out", text) is not None
            _, output, printed = text.partition("Output:\n")
            if text.startswith("[Command exited") and ended is not None:
                result.stdout = text[ended.end() :].removeprefix("\n")
            elif text.startswith("Command ") and output:
                result.stdout = printed
        self.settle(call, result)

    def heard(self, text: str, source: Source, time: float | None) -> None:
        for words in [m[2] for m in WORDS.finditer(text)] or [text.strip()]:
            if words:
                self.say("user" if self.lane == MAIN_LANE else "harness", words, source, time)


def _usage(metrics: dict[str, Any]) -> TokenUsage | None:
    """What came from the cache is part of the prompt's count."""
    older = mapping(metrics.get("tokens"))
    prompt, cached = integer(older.get("prompt")) or 0, integer(older.get("cached")) or 0
    if cached > prompt:  # one count of what was read and what was written
        return TokenUsage(prompt + cached, None, None, integer(older.get("completion")))
    if older:
        return named_usage(older, ("prompt", "cached", "", "completion"), cache_in_prompt=True)
    return named_usage(metrics, _TOKENS, cache_in_prompt=True)


class ClineReader(Reader):
    """``sessions/ID/ID.messages.json``, with ``ID.json`` and the files of the sub-agents beside it."""

    format, marks = "cline", (b'"messages"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        first = mapping(next(iter(sequence(value.get("messages"))), None))
        return "version" in value and "role" in first and isinstance(first.get("content"), list)

    def owner(self, path: Path) -> Path:
        main = path.with_name(f"{path.parent.name}.messages.json")
        return main if path.name.startswith("agent_") and main.is_file() else path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        session = ClineSession(log)
        document = mapping(log.document())
        for message in objects(document.get("messages")):
            session.add(message)
        folder = log.path.parent if log.path is not None and not log.path.name.startswith("agent_") else None
        for path in sorted(folder.glob("agent_*.messages.json")) if folder is not None else ():
            session.read_agent_file(path, lambda part, lane: _add_agent(session, part, lane))
        session.link_lanes()
        session.interleave()
        stem = log.name_without(".messages.json", ".json")
        about = _about(log.path.with_name(f"{stem}.json")) if log.path is not None else {}
        session.cwd = session.cwd or optional(about.get("cwd"))
        session.model = optional(about.get("model"))
        session.end = _ENDS.get(string(about.get("status")))
        session.version = optional(mapping(document.get("origin")).get("version"))
        session.at(iso_time(about.get("started_at")))
        found = Trajectory(string(document.get("sessionId")) or stem, self.format, Source(log.name), agent="cline")
        answers = [step for step in session.steps if step.role == "agent"]
        found.usage_complete = all(step.usage is not None for step in answers)
        found.branch = optional(mapping(mapping(about.get("metadata")).get("git")).get("branch"))
        found.states_failure = True
        keep_cost(found, session.costs)
        if session.steps:
            yield session.finish(found)


def _add_agent(session: ClineSession, log: LogFile, lane: str) -> None:
    before, session.lane = len(session.steps), lane
    for message in objects(mapping(log.document()).get("messages")):
        session.add(message)
    session.lane = MAIN_LANE
    session.add_lane(lane, prompt=next((s.text for s in session.steps[before:] if s.role == "harness"), None))


def _about(path: Path) -> dict[str, Any]:
    try:
        return mapping(LogFile(path).document()) if path.is_file() else {}
    except LogError:
        return {}


READERS: tuple[Reader, ...] = (ClineReader(),)
