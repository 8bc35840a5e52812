"""Crush (Charm): the database ``.crush/crush.db`` of a project. A sub-agent's session names the call that made it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..cost import keep_cost
from ..logfile import LogFile
from ..model import MAIN_LANE, Edit, EndState, Result, Role, Shell, Source, Step, ToolCall, Trajectory
from ..reader import Reader
from ..tools import interpret
from .shared.builder import SessionBuilder
from .shared.results import stated_exit
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.values import arguments, flag, joined, mapping, millis, objects, optional, seconds, string

_EXIT = re.compile(r"\n?Exit code (-?\d{1,10})(?:\s*<cwd>[^\n]*</cwd>)?\s*\Z")
_CWD = re.compile(r"\s*<cwd>[^\n]*</cwd>\s*\Z")
_ENDS: dict[str, EndState] = {
    "end_turn": "completed",
    "canceled": "interrupted",
    "error": "error",
    "content_filter": "error",
    "max_tokens": "limit",
}


class _Session(SessionBuilder):
    def message(self, row: dict[str, Any], lane: str) -> None:
        self.lane, source, time = lane, Source(self.log.name), self.at(seconds(row.get("created_at")))
        parts = json_value(row.get("parts"))
        if not isinstance(parts, list):
            self.log.skip(None, f"the parts of message {str(row.get('id'))[:40]} cannot be read; skipped")
        role, step = row.get("role"), None
        if role == "assistant" and not row.get("is_summary_message"):
            step = self.begin(source, time, model=optional(row.get("model")))
            step.message_id = optional(row.get("id"))
        for part in objects(parts):
            kind, data = string(part.get("type")), mapping(part.get("data"))
            if kind == "tool_result":
                self.deliver(optional(data.get("tool_call_id")), source, partial(self.receive, data=data, time=time))
            elif kind == "shell_command":
                ran = f"the user ran: {string(data.get('command'))}\n{string(data.get('output'))}"
                self.say("harness", ran, source, time)
            elif step is not None:
                self.answered(step, kind, data, time)
            elif kind == "text":
                self.heard(string(data.get("text")), string(role), source, time)

    def heard(self, text: str, role: str, source: Source, time: float | None) -> None:
        if role == "user" and self.lane != MAIN_LANE:
            self.add_lane(self.lane, prompt=text)
        elif role == "user":
            self.end = None
        typed: Role = "user" if role == "user" and self.lane == MAIN_LANE else "harness"
        self.say("compaction" if role == "assistant" else typed, text, source, time)

    def answered(self, step: Step, kind: str, data: dict[str, Any], time: float | None) -> None:
        if kind == "text":
            step.text = joined(step.text, string(data.get("text")), by="\n\n")
        elif kind == "reasoning":
            step.reasoning = joined(step.reasoning, string(data.get("thinking")), by="\n\n")
        elif kind == "tool_call":
            name, given = string(data.get("name")), arguments(data.get("input"))
            self.call(step, string(data.get("id")), name, given, interpret(name, given), step.source, time)
        elif kind == "finish":
            reason = string(data.get("reason"))
            self.at(seconds(data.get("time")))
            if self.lane == MAIN_LANE:
                self.end = _ENDS.get(reason)
            if reason in ("canceled", "error", "content_filter"):
                said = joined(string(data.get("message")), string(data.get("details")), by=": ")
                self.say("interrupt" if reason == "canceled" else "harness", said or reason, step.source, time)
        elif kind not in ("image_url", "binary"):
            self.log.skip(None, f"a part of the unknown kind {kind[:40]!r}; skipped")

    def receive(self, call: ToolCall, data: dict[str, Any], time: float | None) -> None:
        result = Result(string(data.get("content")), is_error=flag(data.get("is_error")), time=time, source=call.source)
        about = mapping(json_value(data.get("metadata")))
        start, end = millis(about.get("start_time")), millis(about.get("end_time"))
        if start is not None and end is not None:
            call.time, result.time, result.duration = start, self.at(end), max(end - start, 0.0)
        result.denied = result.is_error is True and result.text.startswith("User denied permission")
        if isinstance(call.action, Shell):
            result.shell_id = call.action.shell_id = optional(about.get("shell_id"))
            result.running = result.shell_id is not None
            result.interrupted = "Command was aborted before completion" in result.text[-300:]
            result.stdout = _CWD.sub("", result.text) if _CWD.search(result.text) else None
            stated_exit(result, _EXIT, flagged=False)
        elif isinstance(call.action, Edit) and len(call.action.changes) == 1 and not result.is_error:
            change, before, after = call.action.changes[0], about.get("old_content"), about.get("new_content")
            if isinstance(after, str) and (before is None or isinstance(before, str)):
                change.before, change.after = before or None, after
                change.operation = "modify" if before else "create"
        self.give(call, result)


def _trajectory(log: LogFile, root: dict[str, Any], messages: list[tuple[str, dict[str, Any]]]) -> Trajectory:
    session, path = _Session(log), log.path
    for lane, row in messages:
        if lane != MAIN_LANE:
            session.add_lane(lane, parent_call=lane.partition("$$")[2] or None)
        session.message(row, lane)
    session.link_lanes()
    trajectory = Trajectory(
        string(root.get("id")),
        "crush",
        Source(log.name),
        agent="crush",
        cwd=str(path.resolve().parents[1]) if path is not None and path.resolve().parent.name == ".crush" else None,
        usage_complete=False,  # the database has the tokens of the last call only
    )
    keep_cost(trajectory, [root.get("cost")])
    return session.finish(trajectory)


class CrushReader(Reader):
    format = "crush"

    def matches(self, log: LogFile) -> bool:
        return has_tables(log, "sessions", "messages", column=b"parent_session_id")

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        with opened(log) as database:
            sessions = _dicts(database, log, "sessions")
            messages: dict[str, list[dict[str, Any]]] = {}
            for row in _dicts(database, log, "messages"):
                messages.setdefault(string(row.get("session_id")), []).append(row)
        parents = {string(row.get("id")): optional(row.get("parent_session_id")) for row in sessions}
        for root in sessions:
            name = string(root.get("id"))
            if parents[name] is None or parents[name] not in parents:
                family = [key for key in parents if _root_of(key, parents) == name]
                found = [(MAIN_LANE if key == name else key, row) for key in family for row in messages.get(key, [])]
                found.sort(key=lambda entry: seconds(entry[1].get("created_at")) or 0.0)
                if found:
                    yield _trajectory(log, root, found)


def _root_of(session: str, parents: dict[str, str | None]) -> str:
    seen: set[str] = set()
    while session not in seen and (parent := parents.get(session)) is not None and parent in parents:
        seen.add(session)
        session = parent
    return session


def _dicts(database: sqlite3.Connection, log: LogFile, table: str) -> list[dict[str, Any]]:
    """The rows of a table by time, whatever columns this version of the program has."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    found = rows(database, log, f"SELECT * FROM {table} ORDER BY created_at, rowid")
    return [dict(zip(columns, row, strict=False)) for row in found]


READERS = (CrushReader(),)
