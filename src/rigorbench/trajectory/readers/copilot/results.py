"""What a Copilot tool call does, and what its result states."""

from __future__ import annotations

import re
from typing import Any

from ...model import Action, Edit, Other, Plan, Result, Shell, ShellOutput, Source, ToolCall
from ...plans import checklist
from ...tools import interpret
from ...usage import Usage
from ..shared.usage import named_usage
from ..shared.values import integer, mapping, sequence, string

_EXIT = re.compile(r"<[^<>\n]*(?:exited|completed|finished)[^<>\n]* with exit code:? (-?\d{1,10})[^<>\n]*>\s*\Z")
_RUNNING = re.compile(r"<[^<>\n]*(?:shellId|sessionId|id):? ?([^\s<>,]+)[^<>]*(?:still running|started|is running)")
_BACKGROUND = re.compile(r"(?i)<command started in (?:detached )?background with (?:shell|session)?id: ?([^\s<>,]+)>")
_SAVED = re.compile(r"(?i)output too large[^\n]*\bsaved to:? ?(\S+)")


def call_action(name: str, given: Any) -> Action:
    if name == "sql":
        return Other(string(mapping(given).get("description")), inert=True)
    action = interpret(name, given)
    if isinstance(action, Plan) and action.mode == "mode" and not action.text:
        summary = string(mapping(given).get("summary"))
        action.items, action.text = checklist(summary), summary or None
    return action


def read_result(call: ToolCall, data: dict[str, Any], source: Source, time: float | None) -> Result:
    given, error = data.get("result"), mapping(data.get("error"))
    body = mapping(given)
    success = data.get("success")
    text = given if isinstance(given, str) else string(body.get("content"))
    if not text:
        text = string(error.get("message")) or string(data.get("error"))
    result = Result(text, time=time, source=source)
    result.is_error = not success if isinstance(success, bool) else (True if error else None)
    if call.time is not None and time is not None:
        result.duration = max(0.0, time - call.time)
    if string(error.get("code")) in ("denied", "rejected", "permission_denied"):
        result.denied = True
    saved = _SAVED.search(text[:600])
    if saved is not None:
        result.truncated, result.full_output = True, saved[1]
    action = call.action
    if isinstance(action, Shell | ShellOutput):
        _shell_result(result, action, data, body)
    elif isinstance(action, Edit) and success is True:
        kinds = [mapping(edit).get("kind") for edit in sequence(data.get("fileEdits"))]
        if len(action.changes) == 1 and action.changes[0].operation == "create" and kinds == ["edit"]:
            # A whole file written over one that was there.
            action.changes[0].operation = "modify"
    return result


def _shell_result(result: Result, action: Shell | ShellOutput, data: dict[str, Any], body: dict[str, Any]) -> None:
    text = result.text
    result.exit_status = integer(mapping(data.get("shellExecution")).get("exitCode"))
    for block in sequence(body.get("contents")):
        block = mapping(block)
        if result.exit_status is None and block.get("type") in ("shell_exit", "terminal"):
            result.exit_status = integer(block.get("exitCode"))
    ended = _EXIT.search(text, max(0, len(text) - 300))
    if ended is not None:
        result.stdout = text[: ended.start()].removesuffix("\n")
        if result.exit_status is None:
            result.exit_status = int(ended[1])
        return
    running = _BACKGROUND.search(text[:300]) or _RUNNING.search(text, max(0, len(text) - 600))
    if running is not None:
        result.shell_id = running[1].rstrip(":.")
        if isinstance(action, Shell):
            action.background, action.shell_id = True, action.shell_id or result.shell_id


def usage_of(fields: dict[str, Any]) -> Usage | None:
    names = ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens")
    return named_usage(fields, names, cache_in_prompt=True)
