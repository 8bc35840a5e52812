"""``codex exec --json``: the thread stream, and the older stream of ``{"id", "msg"}`` events.

Neither states times, and the thread stream no model; other output is often mixed in between the lines.
"""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from typing import Any

from ...logfile import LogFile
from ...model import Action, Ask, Edit, Other, Plan, PlanItem, Read, Result, Shell, Source, Spawn, Trajectory, Wait
from ...plans import checklist, plan_items
from ...tools import command_text, interpret, text_of
from ...usage import sum_usage
from ..shared.values import arguments, integer, mapping, objects, string
from .records import (
    Record,
    apply_execution,
    apply_mcp,
    apply_patch,
    recorded_changes,
    state_end,
    usage_of,
)
from .thread import CodexBuilder


def read_streams(log: LogFile) -> list[Trajectory]:
    """The threads of a stream: a resumed thread goes on under its id, another id is another session."""
    found: list[CodexStream] = []
    current: CodexStream | None = None
    for number, value in log.json_lines():
        if not isinstance(value, dict):
            # A line of other output can begin with several JSON values ("2026-03-01 ..."): reported once.
            if not log.skipped or log.skipped[-1].line != number:
                log.skip(number, "not an event of a Codex stream")
            continue
        if value.get("type") == "thread.started" and current is not None and current.thread is not None:
            current = current if value.get("thread_id") == current.thread else None
        if current is None:
            current = CodexStream(log)
            found.append(current)
        current.value(number, value)
    return [trajectory for stream in found if (trajectory := stream.trajectory()) is not None]


class CodexStream(CodexBuilder):
    """One thread of a stream."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.thread: str | None = None
        self._turn = 0
        self._plan: list[PlanItem] | None = None
        self._totals: list[Record] = []
        self._first_line: int | None = None

    def trajectory(self) -> Trajectory | None:
        for call in self.calls.values():
            if call.result is None and isinstance(call.action, Shell):
                # The stream says that it started, and not that it ended.
                call.result = Result("", interrupted=True, source=call.source)
        self.place_usage()
        if not self.steps and self.thread is None:
            return None
        # The thread's total, which every turn repeats, grown; where turns are counted apart, their sum.
        grown = all(
            (integer(a.get(name)) or 0) <= (integer(b.get(name)) or 0)
            for a, b in pairwise(self._totals)
            for name in ("input_tokens", "output_tokens")
        )
        trajectory = Trajectory(
            id=self.thread or self.log.stem,
            format="codex-exec",
            source=Source(self.log.name, self._first_line or 1),
            agent="codex",
            usage=sum_usage(map(usage_of, self._totals[-1 if grown else 0 :])),
        )
        return self.finish(trajectory)

    def value(self, number: int, value: dict[str, Any]) -> None:
        source = Source(self.log.name, number)
        if self._first_line is None:
            self._first_line = number
        message = value.get("msg")
        if isinstance(message, dict) and isinstance(message.get("type"), str):
            self._event(source, message)
            return
        kind = value.get("type")
        if kind == "thread.started":
            if isinstance(value.get("thread_id"), str):
                self.thread = value["thread_id"]
        elif kind == "turn.started":
            self.close()
            self._turn += 1
            self.end = None
        elif kind == "turn.completed":
            self.close()
            self.end = "completed"
            if isinstance(tokens := value.get("usage"), dict):
                self._totals.append(tokens)
        elif kind in ("turn.failed", "error"):
            error = value.get("error")
            text = string(error.get("message") if isinstance(error, dict) else value.get("message")) or "error"
            self.say("harness", f"error: {text}", source, None)
            if kind == "turn.failed" or not text.startswith("Reconnecting"):
                self.end = "limit" if "usage limit" in text or "context window" in text else "error"
        elif kind in ("item.started", "item.updated", "item.completed"):
            item = value.get("item")
            if isinstance(item, dict):
                self._item(source, kind, item)
            else:
                self.log.skip(source.line, f"an {kind} event without item")
        elif kind == "request_user_input":
            questions = value.get("questions")
            texts = [string(q.get("question")) for q in objects(questions)]
            call_id = string(value.get("call_id")) or f"ask@{number}"
            self.call(None, call_id, "request_user_input", {"questions": questions}, Ask("\n".join(texts)), source)
        elif "prompt" in value and isinstance(value["prompt"], str):
            self.say("user", value["prompt"], source, None)
        elif kind is None and ("workdir" in value or "sandbox" in value):
            # The older stream begins with its configuration.
            self.model = self.turn_model = string(value.get("model")) or self.model
            self.cwd = string(value.get("workdir")) or self.cwd
        elif kind != "item.plan.delta":
            self.log.skip(number, "not an event of a Codex stream")

    def _item(self, source: Source, kind: str, item: dict[str, Any]) -> None:
        what = item.get("type") or item.get("item_type")
        done = kind == "item.completed"
        if what in ("agent_message", "assistant_message", "reasoning", "plan", "error"):
            if done and what == "error":
                self.say("harness", f"error: {string(item.get('message'))}", source, None)
            elif done:
                self._said(source, str(what), string(item.get("text")))
            return
        if what == "todo_list":
            items = [
                PlanItem(todo["text"], "completed" if todo.get("completed") is True else "pending")
                for todo in objects(item.get("items"))
                if isinstance(todo.get("text"), str)
            ]
            self._todo(source, {"items": item.get("items")}, items)
            return
        key = f"{self._turn}/{item.get('id') or source.line}"
        call = self.calls.get(key)
        if call is None:
            given = {k: v for k, v in item.items() if k in GIVEN}
            name = str(item.get("tool") or what) if what in ("mcp_tool_call", "collab_tool_call") else str(what)
            call = self.call(None, key, name, given, action_of(str(what), item), source)
        if not done or call.result is not None:
            return
        result = call.result = Result("", source=source)
        status = item.get("status")
        result.denied = status == "declined"
        code = item.get("exit_code")
        if what == "command_execution":
            result.text = result.stdout = string(item.get("aggregated_output"))
            if isinstance(code, int) and not isinstance(code, bool):
                state_end(result, code)
        else:
            result.is_error = status == "failed" if isinstance(status, str) else None
            error, content = item.get("error"), item.get("result")
            if isinstance(error, dict) and error.get("message"):
                result.text, result.is_error = string(error["message"]), True
            elif content is not None:
                result.text = text_of(content)
            if what == "file_change" and type(call.action) is Edit:
                call.action.changes = recorded_changes(item.get("changes")) or call.action.changes
        self.close()

    def _said(self, source: Source, what: str, text: str) -> None:
        if what == "plan":
            plan = Plan(checklist(text), mode="mode", text=text)
            self.call(None, f"plan@{source.line}", "plan", {"text": text}, plan, source)
            return
        step = self.answer(source, None)
        if step.text:
            # Thought comes before speech: another response.
            self.close()
            step = self.answer(source, None)
        if what == "reasoning":
            step.reasoning = f"{step.reasoning}\n\n{text}" if step.reasoning else text
        else:
            step.text = text

    def _todo(self, source: Source, given: Any, items: list[PlanItem]) -> None:
        # The list is repeated at the end of the turn.
        if not items or items == self._plan:
            return
        self._plan = items
        call = self.call(None, f"todo@{source.line}", "update_plan", given, Plan(list(items)), source)
        call.result = Result("", source=source)
        self.close()

    def _event(self, source: Source, msg: dict[str, Any]) -> None:
        kind = str(msg["type"])
        if kind == "session_configured":
            self.thread = string(msg.get("session_id")) or self.thread
            self.model = self.turn_model = string(msg.get("model")) or self.model
        elif kind == "user_message":
            self.say("user", string(msg.get("message")), source, None)
        elif kind == "agent_message":
            self._said(source, "agent_message", string(msg.get("message")) or string(msg.get("content")))
        elif kind == "agent_reasoning":
            self._said(source, "reasoning", string(msg.get("text")) or string(msg.get("content")))
        elif kind in _OF_A_TURN:
            _OF_A_TURN[kind](self, source, None, msg)
        elif kind == "plan_update":
            self._todo(
                source, {"plan": msg.get("plan"), "explanation": msg.get("explanation")}, plan_items(msg.get("plan"))
            )
        elif kind in BEGIN:
            key = string(msg.get("call_id")) or f"{kind}@{source.line}"
            if key not in self.calls:
                given = {k: v for k, v in msg.items() if k not in ("type", "call_id", "parsed_cmd")}
                name = string(mapping(msg.get("invocation")).get("tool")) or BEGIN[kind]
                self.call(None, key, name, given, action_of(kind, msg), source)
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            self._ended(source, kind, msg)

    def _ended(self, source: Source, kind: str, msg: dict[str, Any]) -> None:
        call = self.calls.get(string(msg.get("call_id")))
        if call is None:
            self.log.skip(source.line, f"a tool result without its call ({string(msg.get('call_id'))[:80]}); skipped")
            return
        if kind == "exec_command_end":
            apply_execution(call, msg, None, source)
            if call.result is not None:
                call.result.text = string(msg.get("formatted_output")) or call.result.text
        elif kind == "patch_apply_end":
            apply_patch(call, msg, None, source)
        else:
            given = msg.get("result")
            given = given.get("Ok", given.get("Err")) if isinstance(given, dict) else given
            call.result = Result(text_of(given), source=source)
            apply_mcp(call.result, msg)
        self.close()


# What the items of a ``codex exec`` stream mean as actions


_SHELL_PREFIX = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh -l?c ")

# The fields of an item that the model gave; the others are results.
GIVEN = ("command", "changes", "server", "tool", "arguments", "query", "action", "prompt", "receiver_thread_ids")
_OF_A_TURN = {
    "task_started": CodexBuilder.on_started,
    "task_complete": CodexBuilder.on_complete,
    "turn_aborted": CodexBuilder.on_aborted,
    "error": CodexBuilder.on_error,
    "token_count": CodexBuilder.on_tokens,
}
BEGIN = {
    "exec_command_begin": "exec_command",
    "patch_apply_begin": "apply_patch",
    "mcp_tool_call_begin": "mcp_tool_call",
    "web_search_end": "web_search",
    "view_image_tool_call": "view_image",
}


def action_of(kind: str, fields: dict[str, Any]) -> Action:
    """The action of an item of the thread stream, or of an event of the older one."""
    if kind == "command_execution":
        return Shell(inner_command(fields.get("command")))
    if kind == "exec_command_begin":
        return Shell(command_text(fields.get("command")), string(fields.get("cwd")) or None)
    if kind in ("file_change", "patch_apply_begin"):
        return Edit(recorded_changes(fields.get("changes")))
    if kind in ("mcp_tool_call", "mcp_tool_call_begin"):
        asked = fields if kind == "mcp_tool_call" else mapping(fields.get("invocation"))
        return interpret(f"mcp__{asked.get('server')}__{asked.get('tool')}", arguments(asked.get("arguments")))
    if kind == "view_image_tool_call":
        return Read(string(fields.get("path")))
    tool = fields.get("tool") if kind == "collab_tool_call" else None
    if tool == "spawn_agent":
        return Spawn(string(fields.get("prompt")))
    return Wait() if tool == "wait" else Other(string(fields.get("query")), inert=kind.startswith("web_search"))


def inner_command(line: Any) -> str:
    """The script of a quoted ``bash -lc SCRIPT`` command line; anything else as it is."""
    if not isinstance(line, str):
        return command_text(line)
    found = _SHELL_PREFIX.match(line)
    if found is None:
        return line
    try:
        words = shlex.split(line[found.end() :])
    except ValueError:
        return line
    return words[0] if len(words) == 1 else line
