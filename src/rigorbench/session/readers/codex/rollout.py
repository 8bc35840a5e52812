"""Reads one Codex rollout file (all generations) into the steps of one thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson

from ...index import SessionIndex
from ...logfile import LogFile
from ...model import MAIN_LANE, Action, Edit, Plan, Result, Role, Shell, ShellOutput, Source, Step
from ...patches import parse_patch
from ...plans import checklist
from ...tools import command_text, interpret
from ..shared.values import arguments, integer, iso_time, joined, mapping, objects, optional, sequence, string
from .batches import Batches
from .files import history_of, origin_of, other_files, said
from .records import Record, apply_execution, apply_mcp, apply_patch, usage_of
from .results import IGNORED, SUMMARY_TEXT, output_text, read_result, split_user
from .thread import CodexBuilder

_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>|Current working directory: ([^\n]+)")
# A forked thread's file begins with a copy of its parent's history, written in one go.
_COPY_SECONDS = 5.0

Handler = Callable[["Rollout", Source, "float | None", Record], None]
Fact = tuple[Record, Source, "float | None", "Step | None"]
"""What a record adds to a call: the record, its place and time, and the step before it."""


class Rollout(CodexBuilder):
    """One thread. ``lane``: where its steps go (a sub-agent's own file is a lane)."""

    repeated_calls = "report"

    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        super().__init__(log, lane)
        self.meta: Record | None = None
        self.commit: str | None = None
        self._executions: dict[str, Fact] = {}
        self._patches: dict[str, Fact] = {}
        self._mcp: dict[str, Record] = {}
        self._scripts = Batches(_action)
        self._unknown: set[str] = set()
        self.threads: SessionIndex | None = None
        self.started: dict[str, str] = {}  # thread of a sub-agent -> call that started it
        self.continues: str | None = None
        self._copied_from: str | None = None
        self._copy_start: float | None = None
        self._history: frozenset[bytes] = frozenset()  # of the threads that this one may begin with a copy of

    def read(self, threads: SessionIndex | None = None) -> None:
        """Reads all files of the thread; ``threads`` are those of its store."""
        self.threads = threads
        logs = [self.log]
        if threads is not None and self.log.path is not None:
            logs += map(self.log.sibling, other_files(self.log.path, threads))
        lines: set[bytes] = set()
        for self.log in logs:
            for number, line in self.log.lines():
                if line not in lines:
                    for value in self.log.parse_line(number, line):
                        self.value(number, value)
                if len(logs) > 1:
                    lines.add(line)
        self.log = logs[0]
        self.complete()

    def read_document(self, document: Any) -> None:
        """The whole session as one JSON document (before June 2025)."""
        session = mapping(document).get("session")
        if isinstance(session, dict):
            self.value(1, {"type": "session_meta", "payload": session})
        for item in sequence(mapping(document).get("items")):
            self.value(1, item)
        self.complete()

    def value(self, number: int, value: Any) -> None:
        """One record, with an envelope or without (summer 2025)."""
        if not isinstance(value, dict):
            self.log.skip(number, "not a record of a Codex session")
            return
        outer, payload, time = value.get("type"), value.get("payload"), iso_time(value.get("timestamp"))
        if not isinstance(payload, dict):
            if not isinstance(outer, str):
                if "instructions" in value or ("id" in value and isinstance(value.get("timestamp"), str)):
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
        kind, inner, item = outer, payload.get("type"), payload.get("item")
        if isinstance(inner, str) and outer in ("response_item", "event_msg"):
            kind = f"{outer}/{inner}"
        if self._history and outer not in ("session_meta", "turn_context"):
            if said(payload) in self._history:
                self.continues = optional(mapping(self.meta).get("forked_from_id"))
                self._count_copy(kind, payload)
                return
            self._history = frozenset()
        self.at(time)
        if kind == "event_msg/item_completed" and isinstance(item, dict):
            kind, payload = f"item/{item.get('type')}", item
        handler = _KINDS.get(kind)
        if handler is None:
            if kind not in IGNORED and kind not in self._unknown and not kind.startswith("item/"):
                self._unknown.add(kind)
                self.log.skip(number, f"records of the kind {kind[:80]!r} are not known and not read")
        elif self._copied_from is None or not self._still_copied(kind, time, payload):
            handler(self, Source(self.log.name, number), time, payload)

    def _still_copied(self, kind: str, time: float | None, payload: Record) -> bool:
        if kind in ("event_msg/task_started", "event_msg/turn_started") and (started := payload.get("started_at")):
            began = iso_time(mapping(self.meta).get("timestamp"))
            if began is not None and isinstance(started, int | float) and started >= int(began):
                self._copied_from = None
        elif time is not None and self._copy_start is not None and time - self._copy_start > _COPY_SECONDS:
            self._copied_from = None
        if self._copied_from is None:
            return False
        self._count_copy(kind, payload)
        return True

    def _count_copy(self, kind: str, payload: Record) -> None:
        """A record that was copied says how much was counted before."""
        if kind == "event_msg/token_count" and isinstance(info := payload.get("info"), dict):
            self._total = info.get("total_token_usage")
        elif kind == "token_usage_record":
            self._total = payload.get("thread_token_usage")

    def on_usage(self, source: Source, time: float | None, record: Record) -> None:
        self._total = record.get("thread_token_usage") or self._total
        if isinstance(used := record.get("usage"), dict):
            self.usage(usage_of(used), source, time, optional(record.get("response_id")))

    def on_meta(self, source: Source, time: float | None, meta: Record) -> None:
        other = identity_of(meta)
        if self.meta is not None:
            own = identity_of(self.meta)
            if other is not None and own is not None and other != own:
                self._copied_from, self._copy_start = other, time
                known = self.threads is not None and bool(self.threads.files(other))
                self.continues = other if known else None
                words = f"begins with a copy of the history of thread {other[:60]}, which is not read here"
                self.log.skip(source.line, words, lost=not known)
            return
        self.meta = meta
        if self.threads is not None:
            self._history = history_of(origin_of(meta, self.threads))
        self.at(iso_time(meta.get("timestamp")))
        self.cwd = self.cwd or optional(meta.get("cwd"))
        git = mapping(meta.get("git"))
        self.commit, self.branch = optional(git.get("commit_hash")), optional(git.get("branch"))

    def on_turn(self, source: Source, time: float | None, turn: Record) -> None:
        self.turn_model = optional(turn.get("model")) or self.turn_model
        self.model = self.model or self.turn_model
        self.cwd = self.cwd or optional(turn.get("cwd"))

    def on_rolled_back(self, source: Source, time: float | None, event: Record) -> None:
        asked = [n for n, step in enumerate(self.steps) if step.role == "user" and step.lane == self.lane]
        turns = integer(event.get("num_turns"))
        if asked and self.lane == MAIN_LANE:
            self.take_back(asked[-min(max(1, turns or 1), len(asked))])
        words = "some turns" if turns is None else f"{turns} turn(s)"
        self.say("harness", f"thread rolled back by {words}", source, time)

    def on_compacted(self, source: Source, time: float | None, event: Record) -> None:
        self.say("compaction", string(event.get("message")), source, time)

    def on_message(self, source: Source, time: float | None, message: Record) -> None:
        content, role = message.get("content"), message.get("role")
        parts = [{"text": content}] if isinstance(content, str) else objects(content)
        texts = [string(part.get("text")) for part in parts]
        if role == "assistant":
            step = self.answer(source, time)
            step.text = joined(step.text, joined(*texts), by="\n\n")
            step.message_id = step.message_id or optional(message.get("id"))
            return
        if role != "user" or self.lane != MAIN_LANE:
            if text := joined(*texts):
                self.say("harness", text, source, time)
                self._read_cwd(text)
            return
        kinds = sequence(mapping(message.get("internal_chat_message_metadata_passthrough")).get("content_item_kinds"))
        words: list[str] = []
        for index, text in enumerate(texts):
            if not text:
                continue
            harness, human = split_user(text, string(kinds[index]) if len(kinds) == len(parts) else "unknown")
            if harness:
                told: Role = "compaction" if harness.startswith(SUMMARY_TEXT) else "harness"
                self.say(told, harness, source, time)
                self._read_cwd(harness)
            if human:
                words.append(human)
        if words:
            self.end = None
            self.say("user", "\n".join(words), source, time)

    def _read_cwd(self, text: str) -> None:
        # The generation without envelope states its directory only here.
        if self.cwd is None and (found := _CWD.search(text)) is not None:
            self.cwd = (found[1] or found[2]).strip()

    def on_reasoning(self, source: Source, time: float | None, item: Record) -> None:
        step = self.answer(source, time)
        parts = objects(item.get("content")) or objects(item.get("summary"))
        step.reasoning = joined(step.reasoning, *(string(part.get("text")) for part in parts), by="\n\n")

    def _add(self, source: Source, time: float | None, item: Record, name: str, given: Any, action: Action) -> None:
        if not name:
            self.log.skip(source.line, "a call without a name; skipped")
            return
        identity = call_id(item) or optional(item.get("id")) or f"{name}@{source.line}"
        self.call(None, identity, name, given, action, source, time)

    def on_function(self, source: Source, time: float | None, item: Record) -> None:
        given, name, server = arguments(item.get("arguments")), string(item.get("name")), string(item.get("namespace"))
        if server.startswith("mcp__"):
            name = f"{server.rstrip('_')}__{name}"
        self._add(source, time, item, name, given, _action(name, given))

    def on_custom(self, source: Source, time: float | None, item: Record) -> None:
        name, given = string(item.get("name")), item.get("input")
        if name == "exec" and isinstance(given, str):
            identity = call_id(item) or optional(item.get("id")) or f"exec@{source.line}"
            for call in self._scripts.start(identity, given, source, time):
                self.add_call(None, call)
            return
        # What an applied patch changed is recorded exactly: its text is parsed only if that record is missing.
        self._add(source, time, item, name, given, Edit([]) if name == "apply_patch" else interpret(name, given))

    def on_shell(self, source: Source, time: float | None, item: Record) -> None:
        given = mapping(item.get("action"))
        self._add(source, time, item, "local_shell", given, _action("local_shell", given))

    def on_search(self, source: Source, time: float | None, item: Record, *, name: str) -> None:
        action = item.get("action")
        given = arguments(action if action is not None else item.get("arguments"))
        self._add(source, time, item, name, given, interpret(name, given))

    def on_plan(self, source: Source, time: float | None, item: Record) -> None:
        if text := string(item.get("text")):
            self._add(source, time, item, "plan", {"text": text}, Plan(checklist(text), mode="mode", text=text))

    def on_output(self, source: Source, time: float | None, item: Record) -> None:
        self.close()
        output, tools = item.get("output"), item.get("tools")
        if self._scripts.output(call_id(item), output, source, time):
            return
        call = self.waiting_call(call_id(item), source)
        if call is None:
            return
        if call.name == "wait" and isinstance(call.input, dict):
            self._scripts.waited(call.input.get("cell_id"), output, source, time)
        text, failed = output_text(output)
        if output is None and tools is not None:
            text = orjson.dumps(tools).decode()
        result = Result(text, is_error=failed, time=time, source=source)
        action = call.action
        made = type(action)
        read_result(result, is_command=made is Shell or made is ShellOutput or made is Edit)
        if made is Edit and result.exit_status is not None:
            result.is_error = result.exit_status != 0
        if result.shell_id is not None and type(action) is Shell:
            action.shell_id = result.shell_id
        call.result = result

    # Facts that other records add to a call; they may come before the call they belong to.

    def on_execution(self, source: Source, time: float | None, event: Record) -> None:
        key = call_id(event) or optional(event.get("id"))
        if key is not None:
            self._executions[key] = (event, source, time, self.last.get(self.lane))

    def on_patch(self, source: Source, time: float | None, event: Record) -> None:
        key = call_id(event) or optional(event.get("id"))
        if key is not None:
            if key in self._patches and not event.get("changes"):
                event["changes"] = self._patches[key][0].get("changes")
            self._patches[key] = (event, source, time, self.last.get(self.lane))

    def on_agent(self, source: Source, time: float | None, event: Record) -> None:
        call = optional(event.get("event_id")) or call_id(event) or optional(event.get("id"))
        thread = optional(event.get("agent_thread_id")) or optional(event.get("new_thread_id"))
        if call is not None and thread is not None:
            self.started.setdefault(thread, call)

    def on_mcp(self, source: Source, time: float | None, event: Record) -> None:
        self._mcp[call_id(event) or string(event.get("id"))] = event

    def complete(self) -> None:
        """At the end of the log: joins the facts to the calls, and makes the calls that only such facts show."""
        for key, (event, source, time, step) in self._executions.items():
            call = self.calls.get(key)
            if call is None:
                if event.get("source") in ("user_shell", "userShell"):
                    continue
                given = {"cmd": command_text(event.get("command")), "workdir": event.get("cwd")}
                call = self._scripts.executed(step, given["cmd"])
            if call is None:
                # Only its effect shows it: the model made it from inside another tool.
                does = interpret("exec_command", given)
                call = self.call(step, key, "exec_command", given, does, source, time)
            apply_execution(call, event, time, source)
        for key, (patch, source, time, step) in self._patches.items():
            call = self.calls.get(key)
            if call is None:
                call = self._scripts.executed(step, None)
            if call is None:
                changes = {"changes": patch.get("changes")}
                call = self.call(step, key, "apply_patch", changes, Edit([]), source, time)
            apply_patch(call, patch, time, source)
        for key, end in self._mcp.items():
            call = self.calls.get(key)
            if call is not None and call.result is not None:
                apply_mcp(call.result, end)
        for call in self.calls.values():
            if type(call.action) is Edit and not call.action.changes and isinstance(call.input, str):
                call.action.changes = parse_patch(call.input)
        # A script may have made the call of which only the end is recorded; else the call itself is lost.
        lost = [] if self._scripts.any else [i for i, end in self._mcp.items() if call_id(end) and i not in self.calls]
        self.unread_calls = self._scripts.undecided + len(lost)
        self.place_usage()


def identity_of(meta: Record) -> str | None:
    return optional(meta.get("id")) or optional(meta.get("session_id"))


def call_id(record: Record) -> str | None:
    return optional(record.get("call_id"))


def _action(name: str, given: Any) -> Action:
    command = given.get("command") if isinstance(given, dict) else None
    # Before it became a tool of its own, apply_patch was called as if it were a program.
    if isinstance(command, list) and len(command) == 2 and command[0] in ("apply_patch", "applypatch"):
        changes = parse_patch(command[1]) if isinstance(command[1], str) else []
        if changes:
            return Edit(changes)
    return interpret(name, given)


_KINDS: dict[str, Handler] = {
    "session_meta": Rollout.on_meta,
    "turn_context": Rollout.on_turn,
    "compacted": Rollout.on_compacted,
    "token_usage_record": Rollout.on_usage,
    "response_item/message": Rollout.on_message,
    "response_item/reasoning": Rollout.on_reasoning,
    "response_item/function_call": Rollout.on_function,
    "response_item/custom_tool_call": Rollout.on_custom,
    "response_item/local_shell_call": Rollout.on_shell,
    "response_item/web_search_call": partial(Rollout.on_search, name="web_search"),
    "response_item/tool_search_call": partial(Rollout.on_search, name="tool_search"),
    "response_item/image_generation_call": partial(Rollout.on_search, name="image_generation"),
    "response_item/function_call_output": Rollout.on_output,
    "response_item/custom_tool_call_output": Rollout.on_output,
    "response_item/tool_search_output": Rollout.on_output,
    "event_msg/token_count": Rollout.on_tokens,
    "event_msg/exec_command_end": Rollout.on_execution,
    "event_msg/patch_apply_begin": Rollout.on_patch,
    "event_msg/patch_apply_end": Rollout.on_patch,
    "event_msg/mcp_tool_call_end": Rollout.on_mcp,
    "event_msg/sub_agent_activity": Rollout.on_agent,
    "event_msg/collab_agent_spawn_end": Rollout.on_agent,
    "item/SubAgentActivity": Rollout.on_agent,
    "event_msg/task_started": Rollout.on_started,
    "event_msg/turn_started": Rollout.on_started,
    "event_msg/task_complete": Rollout.on_complete,
    "event_msg/turn_complete": Rollout.on_complete,
    "event_msg/turn_aborted": Rollout.on_aborted,
    "event_msg/thread_rolled_back": Rollout.on_rolled_back,
    "event_msg/error": Rollout.on_error,
    "item/CommandExecution": Rollout.on_execution,
    "item/FileChange": Rollout.on_patch,
    "item/McpToolCall": Rollout.on_mcp,
    "item/Plan": Rollout.on_plan,
}
_ENVELOPES = frozenset(kind.split("/", 1)[0] for kind in _KINDS) - {"item"} | {"response_item", "event_msg"}
