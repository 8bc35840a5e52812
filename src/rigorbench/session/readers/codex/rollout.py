"""Reads one Codex rollout file (all generations) into the steps of one thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from ...logfile import LogFile
from ...model import MAIN_LANE
from . import records as rec
from .results import IGNORED
from .thread import Thread

_LINE = re.compile(
    rb'\{"timestamp":"([0-9TZ:.+-]{8,40})",(?:"ordinal":\d+,)?"type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)")?'
)
# `item_completed` names its item a little further in the line.
_ITEM = b'"item":{"type":"'
# A forked thread's file begins with a copy of its parent's history, written in one go.
_COPY_SECONDS = 5.0

Handler = Callable[["Rollout", int, "str | None", Any], None]


class Rollout(Thread):
    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        super().__init__(log, lane)
        self._total: rec.CodexTokens | None = None
        self._unknown: set[str] = set()
        self._copied_from: str | None = None
        self._copy_start: float | None = None

    def read(self) -> None:
        match, fast = _LINE.match, _FAST
        first, last, turn = b"\xff", b"", b""
        for number, line in self.log.lines():
            found = match(line)
            if found is None:
                self._slow(number, line)
                continue
            stamp, outer, inner = found.groups()
            if stamp < first:
                first = stamp
            if stamp > last:
                last = stamp
            if inner is None:
                kind = outer
                if outer in (b"response_item", b"event_msg"):
                    self._slow(number, line)  # its type is not its first member
                    continue
                if outer == b"turn_context":
                    # 0.77 repeats it for every step.
                    payload = line[found.end() :]
                    if payload == turn:
                        continue
                    turn = payload
            elif inner == b"item_completed":
                at = line.find(_ITEM, 0, 600)
                kind = b"item/" + line[at + 16 : line.find(b'"', at + 16)] if at > 0 else b"event_msg/item_completed"
            else:
                kind = outer + b"/" + inner
            known = fast.get(kind)
            if known is None:
                if line[-1] != 125 and not line.rstrip().endswith(b"}"):
                    self._slow(number, line)
                elif kind not in _IGNORED_BYTES and not kind.startswith(b"item/"):
                    self._unread(number, kind.decode())
                continue
            decoder, handler = known
            try:
                record = decoder.decode(line).payload
            except (msgspec.DecodeError, UnicodeDecodeError):
                self._slow(number, line)
                continue
            if self._copied_from is not None and self._still_copied(kind, stamp.decode(), record):
                continue
            handler(self, number, stamp.decode(), record)
        if last:
            self.note_stamp(first.decode())
            self.note_stamp(last.decode())
        self.complete()

    def read_document(self, document: Any) -> None:
        """The whole session as one JSON document (before June 2025)."""
        if isinstance(document, dict):
            session, items = document.get("session"), document.get("items")
            if isinstance(session, dict):
                self.value(1, {"type": "session_meta", "payload": session})
            for item in items if isinstance(items, list) else ():
                self.value(1, item)
        self.complete()

    def join_times(self, other: Rollout) -> None:
        for time in (other.first_stamp, other.last_stamp):
            if time is not None:
                self.note_stamp(time)

    def value(self, number: int, value: Any) -> None:
        """One record as a JSON value: of a damaged line, one with other spaces, one without envelope (summer 2025)."""
        if not isinstance(value, dict):
            self.log.skip(number, "not a record of a Codex session")
            return
        outer, payload, stamp = value.get("type"), value.get("payload"), value.get("timestamp")
        time = stamp if isinstance(stamp, str) else None
        if not isinstance(payload, dict):
            if not isinstance(outer, str):
                if "instructions" in value or ("id" in value and time is not None):
                    outer, payload = "session_meta", value
                elif "record_type" in value:
                    return
                else:
                    self.log.skip(number, "not a record of a Codex session")
                    return
            elif outer in _ENVELOPES:
                self.log.skip(number, f"a {outer[:60]} record without payload")
                return
            else:
                outer, payload = "response_item", value
        if not isinstance(outer, str):
            self.log.skip(number, "a record without type")
            return
        if time is not None:
            self.note_stamp(time)
        kind, inner = outer, payload.get("type")
        if isinstance(inner, str) and outer in ("response_item", "event_msg"):
            kind = f"{outer}/{inner}"
        if kind == "event_msg/item_completed" and isinstance(payload.get("item"), dict):
            kind = f"item/{payload['item'].get('type')}"
        known = _KINDS.get(kind)
        if known is None:
            if kind not in IGNORED and not kind.startswith("item/"):
                self._unread(number, kind)
            return
        kind_of_record, handler = known
        try:
            record = msgspec.convert(payload, kind_of_record, strict=False)
        except msgspec.ValidationError as error:
            self.log.skip(number, f"a {kind[:60]} record of unexpected shape ({str(error)[:80]})")
            return
        if self._copied_from is not None and self._still_copied(kind.encode(), time, record):
            return
        handler(self, number, time, record)

    def _slow(self, number: int, line: bytes) -> None:
        for value in self.log.parse_line(number, line):
            self.value(number, value)

    def _unread(self, number: int, kind: str) -> None:
        if kind not in self._unknown:
            self._unknown.add(kind)
            self.log.skip(number, f"records of the kind {kind[:80]!r} are not known and not read")

    def _copy_begins(self, number: int, time: str | None, thread: str) -> None:
        self._copied_from, self._copy_start = thread, rec.epoch(time)
        self.log.skip(number, f"from here on a copy of the history of thread {thread[:60]}; not read again")

    def _still_copied(self, kind: bytes, time: str | None, payload: Any) -> bool:
        at = rec.epoch(time)
        if kind in (b"event_msg/task_started", b"event_msg/turn_started") and payload.started_at is not None:
            began = rec.epoch(self.meta.timestamp) if self.meta is not None else None
            if began is not None and payload.started_at >= int(began):
                self._copied_from = None
        elif at is not None and self._copy_start is not None and at - self._copy_start > _COPY_SECONDS:
            self._copied_from = None
        if self._copied_from is None:
            return False
        if kind == b"event_msg/token_count" and payload.info is not None:
            self._total = payload.info.total_token_usage
        elif kind == b"token_usage_record":
            self._total = payload.thread_token_usage
        return True

    def on_tokens(self, number: int, time: str | None, event: rec.TokenCount) -> None:
        if event.info is None:
            return
        total, last = event.info.total_token_usage, event.info.last_token_usage
        if total is not None:
            before = self._total
            if total.same(before):
                return
            if last is None:
                last = total if before is None else total.minus(before)
            self._total = total
        if last is not None:
            self.usage(last.normalised(), self._source(number), rec.epoch(time))

    def on_usage(self, number: int, time: str | None, record: rec.UsageRecord) -> None:
        if record.thread_token_usage is not None:
            self._total = record.thread_token_usage
        if record.usage is not None:
            self.usage(record.usage.normalised(), self._source(number), rec.epoch(time), record.response_id)


def _of_item(handler: Handler) -> Handler:
    """The handler, called with the item inside an ``item_completed`` record."""
    return lambda rollout, number, time, payload: handler(rollout, number, time, payload.item)


def _search(name: str) -> Handler:
    return lambda rollout, number, time, item: rollout.on_search(number, time, item, name)


_KINDS: dict[str, tuple[Any, Handler]] = {
    "session_meta": (rec.SessionMeta, Rollout.on_meta),
    "turn_context": (rec.CodexEvent, Rollout.on_turn),
    "compacted": (rec.CodexEvent, Rollout.on_compacted),
    "token_usage_record": (rec.UsageRecord, Rollout.on_usage),
    "response_item/message": (rec.CodexMessage, Rollout.on_message),
    "response_item/reasoning": (rec.Reasoning, Rollout.on_reasoning),
    "response_item/function_call": (rec.CodexCall, Rollout.on_function),
    "response_item/custom_tool_call": (rec.CodexCall, Rollout.on_custom),
    "response_item/local_shell_call": (rec.CodexCall, Rollout.on_shell),
    "response_item/web_search_call": (rec.CodexCall, _search("web_search")),
    "response_item/tool_search_call": (rec.CodexCall, _search("tool_search")),
    "response_item/image_generation_call": (rec.CodexCall, _search("image_generation")),
    "response_item/function_call_output": (rec.CodexOutput, Rollout.on_output),
    "response_item/custom_tool_call_output": (rec.CodexOutput, Rollout.on_output),
    "response_item/tool_search_output": (rec.CodexOutput, Rollout.on_output),
    "event_msg/token_count": (rec.TokenCount, Rollout.on_tokens),
    "event_msg/exec_command_end": (rec.Execution, Rollout.on_execution),
    "event_msg/patch_apply_begin": (rec.Patch, Rollout.on_patch),
    "event_msg/patch_apply_end": (rec.Patch, Rollout.on_patch),
    "event_msg/mcp_tool_call_end": (rec.McpEnd, Rollout.on_mcp),
    "event_msg/task_started": (rec.CodexEvent, Rollout.on_started),
    "event_msg/turn_started": (rec.CodexEvent, Rollout.on_started),
    "event_msg/task_complete": (rec.CodexEvent, Rollout.on_complete),
    "event_msg/turn_complete": (rec.CodexEvent, Rollout.on_complete),
    "event_msg/turn_aborted": (rec.CodexEvent, Rollout.on_aborted),
    "event_msg/thread_rolled_back": (rec.CodexEvent, Rollout.on_rolled_back),
    "event_msg/error": (rec.CodexEvent, Rollout.on_error),
    "item/CommandExecution": (rec.CodexItem[rec.Execution], _of_item(Rollout.on_execution)),
    "item/FileChange": (rec.CodexItem[rec.Patch], _of_item(Rollout.on_patch)),
    "item/McpToolCall": (rec.CodexItem[rec.McpEnd], _of_item(Rollout.on_mcp)),
    "item/Plan": (rec.CodexItem[rec.CodexEvent], _of_item(Rollout.on_plan)),
}
_ENVELOPES = frozenset(kind.split("/", 1)[0] for kind in _KINDS) - {"item"} | {"response_item", "event_msg"}
_FAST: dict[bytes, tuple[Any, Handler]] = {
    kind.encode(): (msgspec.json.Decoder(rec.RolloutLine[record]), handler)  # type: ignore[valid-type]
    for kind, (record, handler) in _KINDS.items()
}
_IGNORED_BYTES = frozenset(kind.encode() for kind in IGNORED)
