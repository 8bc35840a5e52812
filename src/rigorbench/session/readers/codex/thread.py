"""One Codex thread, built from its records: messages, calls and results, and the facts that other records add."""

from __future__ import annotations

import re
from typing import Any

import orjson

from ...logfile import LogFile
from ...model import MAIN_LANE, Action, Edit, Plan, Result, Role, Shell, ShellOutput, Source, Step
from ...patches import parse_patch
from ...plans import checklist
from ...tools import command_text, interpret
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.values import arguments, joined
from . import records as rec
from .batches import Batches
from .records import apply_execution, apply_mcp, apply_patch
from .results import SUMMARY_TEXT, output_text, read_result, split_user


class CodexBuilder(SessionBuilder):
    """One thread. ``turn_model``: the model of the current turn; ``model`` is the first one of the thread."""

    def __init__(self, log: LogFile, lane: str = MAIN_LANE) -> None:
        super().__init__(log, lane)
        self.turn_model: str | None = None
        self._waiting: list[tuple[TokenUsage, Source, float | None]] = []
        self._usage_first = False

    def begin(
        self, source: Source, time: float | None = None, *, lane: str | None = None, model: str | None = None
    ) -> Step:
        while len(self._waiting) > 1:
            self._without_items(*self._waiting.pop(0))
        step = super().begin(source, time, lane=lane, model=self.turn_model)
        if self._waiting:
            step.usage = self._waiting.pop()[0]
        return step

    def usage(self, usage: TokenUsage, source: Source, time: float | None, response_id: str | None = None) -> None:
        """The usage of a model call: of the step that was just written, or of the next one."""
        step = self._open.get(self.lane)
        if step is not None:
            if step.usage is not None:
                # That one was stated before the step began: a call that left no items.
                self._without_items(step.usage, source, step.time, before=step)
            step.usage, step.message_id = usage, response_id
            self.close()
            return
        if self.steps and self.steps[-1].role == "compaction" and self.steps[-1].usage is None:
            self.steps[-1].usage = usage
            return
        last = self.last.get(self.lane)
        if last is not None and last.usage is None and not self._usage_first:
            last.usage, last.message_id = usage, response_id
            return
        self._usage_first = True
        self._waiting.append((usage, source, time))

    def place_usage(self) -> None:
        """At the end of the log: steps for the usages that no item followed."""
        for usage, source, time in self._waiting:
            self._without_items(usage, source, time)
        self._waiting.clear()

    def _without_items(self, usage: TokenUsage, source: Source, time: float | None, before: Step | None = None) -> None:
        step = Step("agent", source, self.lane, usage=usage, model=self.turn_model, time=time)
        at = len(self.steps)
        if before is not None:
            at = next(i for i in range(at - 1, -1, -1) if self.steps[i] is before)
        self.steps.insert(at, step)


_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>|Current working directory: ([^\n]+)")


class Thread(CodexBuilder):
    """The state of reading one thread. ``lane``: where its steps go (a sub-agent's own file is a lane)."""

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

    def note_stamp(self, time: str) -> None:
        # ISO times of one zone sort as text.
        if self.first_stamp is None or time < self.first_stamp:
            self.first_stamp = time
        if self.last_stamp is None or time > self.last_stamp:
            self.last_stamp = time

    def _copy_begins(self, number: int, time: str | None, thread: str) -> None:
        """The history of another thread follows. The reader of rollout files knows where it ends."""

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
