"""Reads one Codex rollout file (all generations) into the steps of one thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import orjson

from ...logfile import LogFile
from ...model import MAIN_LANE, Action, Edit, Plan, Result, Role, Shell, ShellOutput, Source, Step
from ...patches import parse_patch
from ...plans import checklist
from ...tools import command_text, interpret
from ..shared.values import arguments, joined
from . import records as rec
from .batches import Batches
from .records import apply_execution, apply_mcp, apply_patch
from .results import IGNORED, SUMMARY_TEXT, output_text, read_result, split_user
from .thread import CodexBuilder

_LINE = re.compile(
    rb'\{"timestamp":"([0-9TZ:.+-]{8,40})",(?:"ordinal":\d+,)?"type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)")?'
)
# `item_completed` names its item a little further in the line.
_ITEM = b'"item":{"type":"'
_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>|Current working directory: ([^\n]+)")
# A forked thread's file begins with a copy of its parent's history, written in one go.
_COPY_SECONDS = 5.0

Handler = Callable[["Rollout", int, "str | None", Any], None]


class Rollout(CodexBuilder):
    """One thread. ``lane``: where its steps go (a sub-agent's own file is a lane)."""

    repeated_calls = "report"

    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        super().__init__(log, lane)
        self.meta: rec.SessionMeta | None = None
        self.commit: str | None = None
        self.first_stamp: str | None = None
        self.last_stamp: str | None = None
        self._executions: dict[str, tuple[rec.Execution, int, str | None, Step | None]] = {}
        self._patches: dict[str, tuple[rec.Patch, int, str | None, Step | None]] = {}
        self._mcp: dict[str, rec.McpEnd] = {}
        self._scripts = Batches(_action)
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

    def note_stamp(self, time: str) -> None:
        # ISO times of one zone sort as text.
        if self.first_stamp is None or time < self.first_stamp:
            self.first_stamp = time
        if self.last_stamp is None or time > self.last_stamp:
            self.last_stamp = time

    def _source(self, number: int) -> Source:
        return Source(self.log.name, number)

    def on_meta(self, number: int, time: str | None, meta: rec.SessionMeta) -> None:
        if self.meta is not None:
            own, other = self.meta.id or self.meta.session_id, meta.id or meta.session_id
            if other is not None and own is not None and other != own:
                self._copy_begins(number, time, other)
            return
        self.meta = meta
        if meta.timestamp is not None:
            self.note_stamp(meta.timestamp)
        self.cwd = self.cwd or meta.cwd
        if meta.git is not None:
            self.commit, self.branch = meta.git.commit_hash, meta.git.branch

    def on_turn(self, number: int, time: str | None, turn: rec.CodexEvent) -> None:
        if turn.model:
            self.turn_model = turn.model
            self.model = self.model or turn.model
        if self.cwd is None:
            self.cwd = turn.cwd

    def on_started(self, number: int, time: str | None, _: Any) -> None:
        self.end = None

    def on_complete(self, number: int, time: str | None, _: Any) -> None:
        self.close()
        self.end = "completed"

    def on_aborted(self, number: int, time: str | None, event: rec.CodexEvent) -> None:
        if event.reason == "review_ended":
            return
        self.end = "limit" if event.reason == "budget_limited" else "interrupted"
        text = f"turn aborted: {event.reason or 'interrupted'}"
        self.say("interrupt", text, self._source(number), rec.epoch(time))

    def on_rolled_back(self, number: int, time: str | None, event: rec.CodexEvent) -> None:
        asked = [n for n, step in enumerate(self.steps) if step.role == "user" and step.lane == self.lane]
        if asked and self.lane == MAIN_LANE:
            self.take_back(asked[-min(event.num_turns or 1, len(asked))])
        turns = "some turns" if event.num_turns is None else f"{event.num_turns} turn(s)"
        self.say("harness", f"thread rolled back by {turns}", self._source(number), rec.epoch(time))

    def on_error(self, number: int, time: str | None, event: rec.CodexEvent) -> None:
        text = event.message or "error"
        self.end = "limit" if "usage limit" in text or "context window" in text else "error"
        self.say("harness", f"error: {text}", self._source(number), rec.epoch(time))

    def on_compacted(self, number: int, time: str | None, event: rec.CodexEvent) -> None:
        self.say("compaction", event.message or "", self._source(number), rec.epoch(time))

    def on_message(self, number: int, time: str | None, message: rec.CodexMessage) -> None:
        at, source = rec.epoch(time), Source(self.log.name, number)
        content = message.content
        parts = [rec.CodexPart(text=content)] if isinstance(content, str) else content or []
        if message.role == "assistant":
            step = self.answer(source, at)
            text = "\n".join(part.text for part in parts if part.text)
            step.text = joined(step.text, text, by="\n\n")
            step.message_id = step.message_id or message.id
            return
        if message.role != "user" or self.lane != MAIN_LANE:
            text = "\n".join(part.text for part in parts if part.text)
            if text:
                self.say("harness", text, source, at)
                self._read_cwd(text)
            return
        kinds = (message.passthrough.content_item_kinds if message.passthrough is not None else None) or []
        words: list[str] = []
        for index, part in enumerate(parts):
            if not part.text:
                continue
            kind = kinds[index] if len(kinds) == len(parts) else "unknown"
            harness, human = split_user(part.text, kind)
            if harness:
                role: Role = "compaction" if harness.startswith(SUMMARY_TEXT) else "harness"
                self.say(role, harness, source, at)
                self._read_cwd(harness)
            if human:
                words.append(human)
        if words:
            self.end = None
            self.say("user", "\n".join(words), source, at)

    def _read_cwd(self, text: str) -> None:
        # The generation without envelope states its directory only here.
        if self.cwd is None:
            found = _CWD.search(text)
            if found is not None:
                self.cwd = (found[1] or found[2]).strip()

    def on_reasoning(self, number: int, time: str | None, item: rec.Reasoning) -> None:
        step = self.answer(Source(self.log.name, number), rec.epoch(time))
        parts = item.content or item.summary or []
        step.reasoning = joined(step.reasoning, *(part.text or "" for part in parts), by="\n\n")

    def _add(self, number: int, time: str | None, call_id: str | None, name: str, given: Any, action: Action) -> None:
        source = Source(self.log.name, number)
        self.call(None, call_id or f"{name}@{number}", name, given, action, source, rec.epoch(time))

    def on_function(self, number: int, time: str | None, item: rec.CodexCall) -> None:
        given, name = arguments(item.arguments), item.name
        if item.namespace is not None and item.namespace.startswith("mcp__"):
            name = f"{item.namespace.rstrip('_')}__{name}"
        self._add(number, time, item.call_id or item.id, name, given, _action(name, given))

    def on_custom(self, number: int, time: str | None, item: rec.CodexCall) -> None:
        if item.name == "exec" and isinstance(item.input, str):
            source, at = self._source(number), rec.epoch(time)
            for call in self._scripts.start(item.call_id or item.id or f"exec@{number}", item.input, source, at):
                self.add_call(None, call)
            return
        # What an applied patch changed is recorded exactly: its text is parsed only if that record is missing.
        action = Edit([]) if item.name == "apply_patch" else interpret(item.name, item.input)
        self._add(number, time, item.call_id or item.id, item.name, item.input, action)

    def on_shell(self, number: int, time: str | None, item: rec.CodexCall) -> None:
        given = item.action if isinstance(item.action, dict) else {}
        self._add(number, time, item.call_id or item.id, "local_shell", given, _action("local_shell", given))

    def on_search(self, number: int, time: str | None, item: rec.CodexCall, name: str) -> None:
        given = arguments(item.action if item.action is not None else item.arguments)
        self._add(number, time, item.call_id or item.id, name, given, interpret(name, given))

    def on_plan(self, number: int, time: str | None, item: rec.CodexEvent) -> None:
        if item.text:
            plan = Plan(checklist(item.text), mode="mode", text=item.text)
            self._add(number, time, item.id, "plan", {"text": item.text}, plan)

    def on_output(self, number: int, time: str | None, item: rec.CodexOutput) -> None:
        self.close()
        source = self._source(number)
        if self._scripts.output(item.call_id, item.output, source, rec.epoch(time)):
            return
        call = self.waiting_call(item.call_id, source)
        if call is None:
            return
        if call.name == "wait" and isinstance(call.input, dict):
            self._scripts.waited(call.input.get("cell_id"), item.output, source, rec.epoch(time))
        text, failed = output_text(item.output)
        if item.output is None and item.tools is not None:
            text = orjson.dumps(item.tools).decode()
        result = Result(text, is_error=failed, time=rec.epoch(time), source=source)
        action = call.action
        made = type(action)
        read_result(result, is_command=made is Shell or made is ShellOutput or made is Edit)
        if made is Edit and result.exit_status is not None:
            result.is_error = result.exit_status != 0
        if result.shell_id is not None and type(action) is Shell:
            action.shell_id = result.shell_id
        call.result = result

    # Facts that other records add to a call; they may come before the call they belong to.

    def on_execution(self, number: int, time: str | None, event: rec.Execution) -> None:
        key = event.call_id or event.id
        if key is not None:
            self._executions[key] = (event, number, time, self.last.get(self.lane))

    def on_patch(self, number: int, time: str | None, event: rec.Patch) -> None:
        key = event.call_id or event.id
        if key is not None:
            begun = self._patches.get(key)
            if begun is not None and not event.changes:
                event.changes = begun[0].changes
            self._patches[key] = (event, number, time, self.last.get(self.lane))

    def on_mcp(self, number: int, time: str | None, event: rec.McpEnd) -> None:
        self._mcp[event.call_id or event.id or ""] = event

    def complete(self) -> None:
        """At the end of the log: joins the facts to the calls, and makes the calls that only such facts show."""
        for key, (event, number, time, step) in self._executions.items():
            call = self.calls.get(key)
            if call is None:
                if event.source in ("user_shell", "userShell"):
                    continue
                given = {"cmd": command_text(event.command), "workdir": event.cwd}
                call = self._scripts.executed(step, given["cmd"])
            if call is None:
                # Only its effect shows it: the model made it from inside another tool.
                does = interpret("exec_command", given)
                call = self.call(step, key, "exec_command", given, does, self._source(number), rec.epoch(time))
            apply_execution(call, event, rec.epoch(time), self._source(number))
        for key, (patch, number, time, step) in self._patches.items():
            call = self.calls.get(key)
            if call is None:
                call = self._scripts.executed(step, None)
            if call is None:
                changes = {"changes": patch.changes}
                call = self.call(step, key, "apply_patch", changes, Edit([]), self._source(number), rec.epoch(time))
            apply_patch(call, patch, rec.epoch(time), self._source(number))
        for key, end in self._mcp.items():
            call = self.calls.get(key)
            if call is not None and call.result is not None:
                apply_mcp(call.result, end)
        for call in self.calls.values():
            if type(call.action) is Edit and not call.action.changes and isinstance(call.input, str):
                call.action.changes = parse_patch(call.input)
        # A script may have made the call of which only the end is recorded; else the call itself is lost.
        lost = [] if self._scripts.any else [i for i, end in self._mcp.items() if end.call_id and i not in self.calls]
        self.unread_calls = self._scripts.undecided + len(lost)
        self.place_usage()


def _action(name: str, given: Any) -> Action:
    if isinstance(given, dict):
        # The two most frequent tools, without the general search through the arguments.
        if name == "exec_command" or name == "shell_command":
            line = given.get("cmd") if name == "exec_command" else given.get("command")
            if isinstance(line, str) and line:
                where = given.get("workdir")
                return Shell(line, where if isinstance(where, str) and where else None)
        command = given.get("command")
        # Before it became a tool of its own, apply_patch was called as if it were a program.
        if isinstance(command, list) and len(command) == 2 and command[0] in ("apply_patch", "applypatch"):
            changes = parse_patch(command[1]) if isinstance(command[1], str) else []
            if changes:
                return Edit(changes)
    return interpret(name, given)


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
