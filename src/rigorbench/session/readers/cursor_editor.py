"""The database of Cursor's editor, with its chats and what their tools returned.

No token count of a session is in it: what a message states is the size of its own context.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from ..logfile import LogFile
from ..model import Edit, EndState, Result, Shell, Source, Trajectory
from ..reader import Reader
from ..tools import text_of
from .cursor_transcript import CursorSession, own_name
from .shared.sqlite import has_tables, json_value, opened, rows
from .shared.values import arguments, integer, mapping, objects, optional, seconds, sequence, string

_ENDS: dict[str, EndState] = {"completed": "completed", "aborted": "interrupted", "error": "error", "failed": "error"}


class CursorEditorReader(Reader):
    """``state.vscdb``: ``composerData:ID`` lists the messages of a chat, ``bubbleId:ID:ID`` is one of them."""

    format = "cursor-editor"

    def matches(self, log: LogFile) -> bool:
        return has_tables(log, "cursorDiskKV")

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        with opened(log) as database:
            chats = [mapping(json_value(data)) for _, data in _range(database, log, "composerData:")]
            below = {
                string(key): chat
                for chat in chats
                for key in (*sequence(chat.get("subagentComposerIds")), *sequence(chat.get("subComposerIds")))
            }
            for chat in chats:
                if (identity := string(chat.get("composerId"))) and identity not in below:
                    session = _Chat(log, lambda key: _value(database, log, key))
                    session.add(chat, _bubbles(database, log, chat))
                    for part in chats:
                        if below.get(string(part.get("composerId"))) is chat:
                            session.add(part, _bubbles(database, log, part), string(part.get("composerId")))
                    session.link_lanes()
                    found = session.trajectory(self.format, identity)
                    if found is not None:
                        found.agent = "cursor"
                        yield found


def _range(database: sqlite3.Connection, log: LogFile, prefix: str) -> list[Any]:
    query = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid"
    return rows(database, log, query, prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1))


def _value(database: sqlite3.Connection, log: LogFile, key: str) -> str | None:
    found = rows(database, log, "SELECT value FROM cursorDiskKV WHERE key = ?", key)
    data = found[0][0] if found else None
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else optional(data)


def _bubbles(database: sqlite3.Connection, log: LogFile, chat: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of a chat in order: those that its list names, then others by their time."""
    inline = objects(chat.get("conversation"))
    stored = {k.rsplit(":", 1)[1]: json_value(v) for k, v in _range(database, log, f"bubbleId:{chat['composerId']}:")}
    stored |= {string(bubble.get("bubbleId")): bubble for bubble in inline}
    stored |= mapping(chat.get("conversationMap"))
    listed = [string(h.get("bubbleId")) for h in objects(chat.get("fullConversationHeadersOnly")) or inline]
    found = [stored.pop(key) if key in stored else None for key in dict.fromkeys(listed)]
    rest = sorted((b for b in stored.values() if isinstance(b, dict)), key=lambda b: seconds(b.get("createdAt")) or 0)
    lost = sum(not isinstance(bubble, dict) for bubble in found)
    if lost:
        log.skip(None, f"{lost} messages of the chat {chat['composerId']} are missing")
    return [bubble for bubble in (*found, *rest) if isinstance(bubble, dict)]


class _Chat(CursorSession):
    def __init__(self, log: LogFile, stored: Callable[[str], str | None]) -> None:
        super().__init__(log)
        self.stored = stored  # the text under a key of the database
        self.source = Source(log.name)

    def add(self, chat: dict[str, Any], bubbles: list[dict[str, Any]], lane: str | None = None) -> None:
        self.model = optional(mapping(chat.get("modelConfig")).get("modelName"))
        before, main = len(self.steps), self.lane
        self.lane = lane or main
        self.at(seconds(chat.get("createdAt")))
        for bubble in bubbles:
            self.bubble(bubble)
        if lane is None:
            self.end = _ENDS.get(string(chat.get("status")))
        else:
            self.add_lane(lane, prompt=next((s.text for s in self.steps[before:] if s.role == "harness"), None))
        self.lane = main

    def bubble(self, bubble: dict[str, Any]) -> None:
        time = self.at(seconds(bubble.get("createdAt")))
        text = string(bubble.get("text")) or string(bubble.get("rawText"))
        if bubble.get("type") == 1:
            self.heard(text, self.source, time)
            return
        if bubble.get("type") != 2:
            self.log.skip(None, f"a message of the unknown type {str(bubble.get('type'))[:40]}; skipped")
            return
        thought, tool = bubble.get("thinking"), mapping(bubble.get("toolFormerData"))
        step = self._open.get(self.lane)
        if step is not None and step.calls and (text or thought):
            self.close()
        step = self.answer(self.source, time)
        step.model = optional(mapping(bubble.get("modelInfo")).get("modelName")) or self.model
        step.text = "\n\n".join(filter(None, (step.text, text)))
        step.reasoning = "\n".join(filter(None, (step.reasoning, string(thought) or text_of(thought))))
        if tool.get("name") or tool.get("toolCallId"):
            self.tool(tool, bubble, time)

    def tool(self, tool: dict[str, Any], bubble: dict[str, Any], time: float | None) -> None:
        name = own_name(string(tool.get("name")) or str(tool.get("tool")))
        raw, params = arguments(tool.get("rawArgs")), mapping(arguments(tool.get("params")))
        given = raw if raw and isinstance(raw, str) else {**params, **mapping(raw)}
        if isinstance(given, dict) and "relativeWorkspacePath" in given:
            given = {"path": given["relativeWorkspacePath"], **given}
        call = self.called(
            self.answer(self.source, time), optional(tool.get("toolCallId")), name, given, self.source, time
        )
        stated, status = arguments(tool.get("result")), tool.get("status")
        fields, error = mapping(stated), mapping(arguments(tool.get("error")))
        if status in ("completed", "error", "cancelled") or stated:
            result = Result(_words(stated), time=time, source=self.source)
            result.text = result.text or string(error.get("modelVisibleErrorMessage")) or string(fields.get("error"))
            result.is_error = {"completed": False, "error": True}.get(string(status))
            result.denied = fields.get("rejected") is True or tool.get("userDecision") == "rejected"
            result.interrupted = status == "cancelled" or fields.get("notInterrupted") is False
            if isinstance(call.action, Shell):
                status = integer(fields.get("exitCodeV2"))
                result.exit_status = integer(fields.get("exitCode")) if status is None else status
                result.timed_out = "TIMEOUT" in string(fields.get("endedReason"))
            elif isinstance(call.action, Edit):
                self._contents(call.action, fields)
            self.settle(call, result)

    def _contents(self, action: Edit, fields: dict[str, Any]) -> None:
        """The whole file before and after an edit, which the database has under keys of their own."""
        before, after = (self.stored(string(fields.get(f"{when}ContentId"))) for when in ("before", "after"))
        if len(action.changes) == 1 and after is not None:
            change = action.changes[0]
            change.before, change.after = before, after
            change.operation = "modify" if before else "create"


def _words(value: Any) -> str:
    fields = mapping(value)
    found = next((string(fields.get(k)) for k in ("output", "contents", "content") if fields.get(k)), "")
    return value if isinstance(value, str) else found or ("" if not value else orjson.dumps(value).decode())


READERS: tuple[Reader, ...] = (CursorEditorReader(),)
