"""Amazon Q Developer's command line, and Kiro's to its first version: the conversations in ``data.sqlite3``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson

from ..logfile import LogFile
from ..model import Result, Shell, Source, ToolCall, Trajectory
from ..reader import Reader
from ..tools import interpret
from .shared.builder import SessionBuilder
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.values import integer, iso_time, joined, mapping, millis, objects, optional, sequence, string

_STATUS = re.compile(r"(?:exit (?:status|code): )?(-?\d{1,10})\s*")
_TABLES = ("conversations", "conversations_v2")
_QUERY = "SELECT key, value FROM %s ORDER BY rowid"
_REFUSED = ("cancelled by the user", "rejected by the user", "denied by the user", "User denied")


class QSession(SessionBuilder):
    """What the programs of this family have in common: how a result is written."""

    def returned(
        self, identity: Any, values: list[Any], failed: bool | None, source: Source, time: float | None
    ) -> None:
        """The result of a call: texts, and objects that state streams and exit status of a command."""
        self.close()
        text = "\n".join(filter(None, (_text(value) for value in values)))
        result = Result(text, is_error=failed, time=time, source=source)
        result.denied = bool(failed) and any(words in text[:300] for words in _REFUSED)
        for stated in (mapping(value).get("exit_status") for value in values):
            status = _STATUS.fullmatch(stated) if isinstance(stated, str) else None
            result.exit_status = int(status[1]) if status is not None else integer(stated)
        self.deliver(optional(identity), source, partial(self.receive, result=result))

    def receive(self, call: ToolCall, result: Result) -> None:
        if not isinstance(call.action, Shell):
            result.exit_status = None
        self.give(call, result)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    fields = mapping(value)
    if fields.keys() & {"stdout", "stderr"}:
        return joined(string(fields.get("stdout")).rstrip("\n"), string(fields.get("stderr")))
    return orjson.dumps(value).decode()


class _Conversation(QSession):
    def turn(self, entry: dict[str, Any], number: int) -> None:
        user, answer, about = (mapping(entry.get(name)) for name in ("user", "assistant", "request_metadata"))
        source, time = Source(self.log.name), self.at(iso_time(user.get("timestamp")))
        place = mapping(mapping(user.get("env_context")).get("env_state"))
        self.cwd = self.cwd or optional(place.get("current_working_directory"))
        for content in mapping(user.get("content")).values():
            for made in objects(mapping(content).get("tool_use_results")):
                values = [value for block in objects(made.get("content")) for value in block.values()]
                self.returned(made.get("tool_use_id"), values, made.get("status") == "Error", source, time)
            if prompt := string(mapping(content).get("prompt")):
                self.end = None
                self.say("user", prompt, source, time)
        asked, ended = millis(about.get("request_start_timestamp_ms")), millis(about.get("stream_end_timestamp_ms"))
        self.at(asked)
        step = self.begin(source, self.at(ended) or time, model=optional(about.get("model_id")))
        for kind, message in answer.items():
            fields = mapping(message)
            step.text, step.message_id = string(fields.get("content")), optional(fields.get("message_id"))
            for index, call in enumerate(objects(fields.get("tool_uses"))):
                name, given = string(call.get("name")), call.get("args")
                identity = optional(call.get("id")) or f"{number} {index}"
                self.call(step, identity, name, given, interpret(name, given), source, step.time)
            self.end = "completed" if kind == "Response" else None
        if not answer:
            self.log.skip(None, "a turn without an answer")


def _trajectory(log: LogFile, key: str, value: dict[str, Any], agent: str) -> Trajectory | None:
    session = _Conversation(log)
    summary = sequence(value.get("latest_summary"))
    if summary:
        session.say("compaction", string(summary[0]), Source(log.name))
        log.skip(None, "what was said before the last summary is not kept")
    for number, entry in enumerate(sequence(value.get("history"))):
        pair = entry if isinstance(entry, list) else None  # of older versions: user and assistant
        session.turn(dict(zip(("user", "assistant"), pair, strict=False)) if pair else mapping(entry), number)
    waiting = mapping(mapping(value.get("next_message")).get("content"))
    if waiting:
        session.end = None
    chosen = optional(mapping(value.get("model_info")).get("model_id")) or optional(value.get("model"))
    trajectory = Trajectory(
        optional(value.get("conversation_id")) or key,
        "amazon-q",
        Source(log.name),
        agent=agent,
        usage_complete=False,
    )
    session.cwd = session.cwd or (key if key.startswith("/") or key[1:3] == ":\\" else None)
    session.finish(trajectory)
    trajectory.model = trajectory.model or chosen
    return trajectory if session.steps else None


class AmazonQReader(Reader):
    format = "amazon-q"

    def matches(self, log: LogFile) -> bool:
        return any(has_tables(log, table, column=b"value TEXT") for table in _TABLES)

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        agent = "kiro" if log.path is not None and "kiro" in log.path.parent.name else "amazon-q"
        with opened(log) as database:
            found = [row for table in _TABLES if has_tables(log, table) for row in rows(database, log, _QUERY % table)]
        seen: set[str] = set()
        for key, stored in reversed(found):
            value = mapping(json_value(stored))
            if not value:
                log.skip(None, f"the conversation of {str(key)[:80]} is no JSON object; skipped")
            elif (identity := string(value.get("conversation_id"))) not in seen:
                seen.add(identity)
                trajectory = _trajectory(log, string(key), value, agent)
                if trajectory is not None:
                    yield trajectory


READERS = (AmazonQReader(),)
