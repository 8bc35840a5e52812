"""Tool calls of Gemini CLI: what a call did and what came back, from its record in the chat file."""

from __future__ import annotations

import re
from typing import Any

import orjson

from ...model import Action, Edit, FileChange, Result, Shell, Source, Spawn, Step, ToolCall
from ...tools import interpret
from ..shared.builder import SessionBuilder
from ..shared.values import integer, iso_time, mapping, optional, string

SHELL = ("run_shell_command", "shell", "ShellTool")
# The lines that the shell tool puts below a command's output; newer versions leave out the empty ones.
_TRAILER = re.compile(
    r"(?:\nError: (?P<error>[^\n]*))?(?:\nExit Code: (?P<code>[^\n]*))?(?:\nSignal: (?P<signal>[^\n]*))?"
    r"(?:\nBackground PIDs: (?P<pids>[^\n]*))?(?:\nProcess Group PGID: [^\n]*)?(?:\n</untrusted_context>)?\s*\Z"
)
_TRAILER_MARKS = ("\nProcess Group PGID:", "\nBackground PIDs:", "\nSignal:", "\nExit Code:", "\nError:")
_TRAILER_LIMIT = 4000
_BACKGROUND = re.compile(r"moved to background \(PID: (\d+)\)")
_SAVED = re.compile(r"(?:For full output see|full output has been saved to|saved (?:to|in)): ?(\S+)")


def add_call(builder: SessionBuilder, step: Step, record: dict[str, Any], source: Source, sent: float | None) -> None:
    """Adds the call with its result. ``sent``: when the model asked for it, where that is known."""
    name, args = string(record.get("name")), record.get("args")
    action = action_of(name, mapping(args), record)
    call = builder.call(step, string(record.get("id")), name, args, action, source, sent)
    assert call is not None  # repeated ones are kept
    call.result = _result(record, call, source)


def result_text(result: Any) -> str:
    """What the model was given: the function responses (and loose parts) of a ``result``."""
    if isinstance(result, str):
        return result
    texts = []
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            response = part.get("functionResponse")
            if isinstance(response, dict):
                texts.append(_response_text(response.get("response")))
            elif isinstance(part.get("text"), str):
                texts.append(part["text"])
            else:
                texts.append(_response_text(part))
    return "\n".join(filter(None, texts))


def _response_text(response: Any) -> str:
    if isinstance(response, str):
        return response
    for field in ("output", "error", "content", "stdout"):
        value = mapping(response).get(field)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return result_text(value)
    return orjson.dumps(response).decode() if response else ""


def action_of(name: str, args: dict[str, Any], record: dict[str, Any]) -> Action:
    """What a call does; ``record``: what the kept log adds to it."""
    agent = optional(record.get("agentId"))
    if agent is not None or name == "invoke_agent":
        prompts = (string(args.get(k)) for k in ("prompt", "objective", "request", "query", "task"))
        return Spawn(next(filter(None, prompts), ""), lane=agent, description=optional(args.get("agent_name")) or name)
    action = interpret(name, args)
    if isinstance(action, Edit) and len(action.changes) == 1:
        _complete_edit(action.changes[0], args, record)
    return action


def _complete_edit(change: FileChange, args: dict[str, Any], record: dict[str, Any]) -> None:
    """Adds the whole file before and after, which the tool keeps for its display."""
    if (integer(args.get("expected_replacements")) or 0) > 1:
        change.replace_all = True
    shown = mapping(record.get("resultDisplay"))
    new = shown.get("newContent")
    if isinstance(new, str):
        change.after = new
        is_new = shown.get("isNewFile")
        if is_new is True:
            change.operation = "create"
        elif is_new is False or optional(shown.get("originalContent")):
            change.operation = "modify"
        if change.operation == "modify":
            change.before = shown["originalContent"] if isinstance(shown.get("originalContent"), str) else None
    elif change.operation == "create" and "Successfully overwrote" in result_text(record.get("result"))[:200]:
        change.operation = "modify"


def _result(record: dict[str, Any], call: ToolCall, source: Source) -> Result | None:
    status = string(record.get("status"))
    if record.get("result") is None and status not in ("error", "cancelled"):
        return None
    text = result_text(record.get("result"))
    shown = record.get("resultDisplay")
    if not text and status in ("error", "cancelled"):
        text = string(shown)
    result = Result(text, time=iso_time(record.get("timestamp")), source=source)
    if status in ("success", "error"):
        result.is_error = status == "error"
    if status == "cancelled":
        result.denied = "did not allow" in text or "denied" in text
        result.interrupted = not result.denied
    elif result.is_error and ("denied by policy" in text or "User denied" in text):
        result.denied = True
    if isinstance(call.action, Shell):
        read_shell(text, call.action, result)
    if "full output" in text or "Full output" in text:
        _note_cut(text, result)
    return result


def read_shell(text: str, action: Shell, result: Result) -> None:
    """What the shell tool's own words state: how the command ended, or that it goes on in the background."""
    head = text[:300]
    if "cancelled" in head and "Command was " in head:
        result.interrupted = True
        result.timed_out = "exceeded the timeout" in head
    if action.background or "moved to background" in head:
        moved = _BACKGROUND.search(head)
        if moved is not None:
            action.background, action.shell_id = True, moved[1]
            result.shell_id = moved[1]
            return
    start = text.find("Output: ") if "Output: " in text[:2000] else -1
    if start > 0 and text[start - 1] != "\n":
        start = -1
    begin = _trailer_start(text)
    trailer = _TRAILER.match(text, begin) if begin is not None else None
    if trailer is None:
        return
    code = trailer["code"]
    if code is not None:
        try:
            result.exit_status = int(code)
        except ValueError:
            result.exit_status = None  # "(none)": ended by a signal
    if start >= 0 and begin is not None:
        output = text[start + 8 : begin]
        result.stdout = "" if output == "(empty)" else output


def _trailer_start(text: str) -> int | None:
    """Where the shell tool's own lines begin: the earliest of them that only trailer lines follow."""
    floor = max(0, len(text) - _TRAILER_LIMIT)
    found: int | None = None
    for mark in _TRAILER_MARKS:
        at = text.rfind(mark, floor, found if found is not None else len(text))
        if at >= 0 and _TRAILER.match(text, at) is not None:
            found = at
    return found


def _note_cut(text: str, result: Result) -> None:
    saved = _SAVED.search(text[:600]) or _SAVED.search(text[-600:])
    if saved is not None:
        result.truncated, result.full_output = True, saved[1]
