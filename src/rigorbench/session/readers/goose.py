"""Goose: the database ``sessions.db``, the session files before it, and ``goose session export --format json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..cost import keep_cost
from ..logfile import LogFile
from ..model import Result, Shell, Source, Step, ToolCall, Trajectory
from ..reader import Reader
from ..tools import interpret, text_of
from ..usage import TokenUsage
from .shared.messages import MessageSession
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.usage import count
from .shared.values import flag, integer, mapping, objects, optional, seconds, string

# Blocks that Goose shows to the user alone.
_SHOWN = ("toolConfirmationRequest", "frontendToolRequest", "actionRequired", "systemNotification")
_SUMMARIES = ("conversationCompacted", "contextLengthExceeded", "summarizationRequested")


class _Session(MessageSession):
    def __init__(self, log: LogFile, about: dict[str, Any]) -> None:
        super().__init__(log)
        self.about = about
        self.cwd = optional(about.get("working_dir"))
        self.model = optional(mapping(json_value(about.get("model_config_json"))).get("model_name"))
        self.at(seconds(about.get("created_at")))

    def add(self, message: dict[str, Any], line: int | None = None) -> None:
        visible = mapping(message.get("metadata")).get("agentVisible")
        role = "system" if visible is False and message.get("role") == "user" else string(message.get("role"))
        content = message.get("content")
        self.message(role, content, Source(self.log.name, line), seconds(message.get("created")))

    def block(self, step: Step | None, block: dict[str, Any], source: Source, time: float | None) -> None:
        kind, identity = string(block.get("type")), optional(block.get("id"))
        if kind == "toolRequest" and step is not None:
            asked = mapping(mapping(block.get("toolCall")).get("value"))
            given = asked.get("arguments")
            self.called(step, identity, string(asked.get("name")), given, source, time)
        elif kind == "toolResponse":
            self.close()
            self.deliver(identity, source, lambda call: self.receive(call, block, source, time))
        elif kind in _SUMMARIES:
            self.say("compaction", string(block.get("msg")), source, time)
        elif kind not in _SHOWN:
            super().block(step, block, source, time)

    def called(
        self, step: Step, identity: str | None, name: str, given: Any, source: Source, time: float | None
    ) -> ToolCall:
        """Adds a call; the tool ``edit`` has the texts of a replacement as ``before`` and ``after``."""
        call = super().called(step, identity, name, given, source, time)
        if isinstance(given, dict) and given.keys() >= {"path", "before", "after"}:
            call.action = interpret(name, {"path": given["path"], "old": given["before"], "new": given["after"]})
        return call

    def receive(self, call: ToolCall, block: dict[str, Any], source: Source, time: float | None) -> None:
        outcome = mapping(block.get("toolResult"))
        value = outcome.get("value")
        fields = mapping(value)
        text = text_of(fields.get("content", value)) or string(outcome.get("error"))
        failed = True if outcome.get("status") == "error" else flag(fields.get("isError"))
        result = Result(text, is_error=failed, time=time, source=source)
        if isinstance(call.action, Shell):
            ended = mapping(fields.get("structuredContent"))
            result.exit_status = integer(ended.get("exit_code"))
            if ended and text.endswith(f"\n\nCommand exited with code {result.exit_status}"):
                result.stdout = text.rpartition("\n\nCommand exited with code ")[0]
            result.timed_out = result.interrupted = ended.get("timed_out") is True
        self.settle(call, result)

    def trajectory(self) -> Trajectory | None:
        found = Trajectory(string(self.about.get("id")) or self.log.stem, "goose", Source(self.log.name), agent="goose")
        prompt, output = (count(self.about.get(f"accumulated_{name}_tokens")) for name in ("input", "output"))
        found.usage = TokenUsage(input=prompt, output=output) if prompt or output else None
        found.usage_complete = found.usage is not None
        keep_cost(found, [self.about.get("accumulated_cost")])
        return self.finish(found) if self.steps else None


class GooseReader(Reader):
    format, marks = "goose", (b'"working_dir"', b'"toolRequest"', b'"toolResponse"')

    def matches(self, log: LogFile) -> bool:
        return has_tables(log, "sessions", "messages", column=b"content_json") or super().matches(log)

    def is_record(self, value: dict[str, Any]) -> bool:
        if "working_dir" in value:
            return "message_count" in value or isinstance(value.get("conversation"), list)
        kinds = {block.get("type") for block in objects(value.get("content"))}
        return value.get("role") in ("user", "assistant") and "created" in value and bool(kinds)

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        if log.head.startswith(b"SQLite format 3"):
            yield from _stored(log)
        elif isinstance(mapping(log.head_document).get("conversation"), list):
            document = mapping(log.document())
            yield from _whole(_Session(log, document), ((None, m) for m in objects(document.get("conversation"))))
        else:
            yield from _lines(log)


def _stored(log: LogFile) -> Iterator[Trajectory]:
    with opened(log) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(sessions)")]
        for row in rows(database, log, "SELECT * FROM sessions ORDER BY created_at, id"):
            about = dict(zip(columns, row, strict=False))
            query = "SELECT role, content_json, created_timestamp, metadata_json FROM messages WHERE session_id = ?"
            found = rows(database, log, f"{query} ORDER BY created_timestamp, id", string(about.get("id")))
            messages = (
                (None, {"role": role, "content": json_value(c), "created": time, "metadata": json_value(m)})
                for role, c, time, m in found
            )
            yield from _whole(_Session(log, about), messages)


def _lines(log: LogFile) -> Iterator[Trajectory]:
    session: _Session | None = None
    for number, value in log.json_objects():
        if session is None:
            session = _Session(log, value if "role" not in value else {})
        if "role" in value:
            session.add(value, number)
    if session is not None and (found := session.trajectory()) is not None:
        yield found


def _whole(session: _Session, messages: Iterable[tuple[int | None, dict[str, Any]]]) -> Iterator[Trajectory]:
    for line, message in messages:
        session.add(message, line)
    found = session.trajectory()
    if found is not None:
        yield found


READERS: tuple[Reader, ...] = (GooseReader(),)
