"""Cursor's tool calls: the tool inside each wrapper, its arguments, and the shapes of its result."""

from __future__ import annotations

from typing import Any

import orjson

from ...model import Action, Edit, Result, Shell, Source, ToolCall
from ...patches import parse_patch
from ...tools import interpret, text_of
from ..shared.values import joined, objects, optional, string

# Tools under names that others use otherwise.
_NAMES = {"askQuestion": "ask_question", "createPlan": "exit_plan_mode", "await": "wait", "readLints": "ls"}
# Keys of a call's wrapper that are not the tool.
_BESIDE = ("toolCallId", "startedAtMs", "completedAtMs", "hookAdditionalContexts", "description")


def unwrapped(wrapper: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The tool's name as written and its {args, result}."""
    function = wrapper.get("function")
    if isinstance(function, dict) and isinstance(function.get("name"), str):
        return function["name"], {**wrapper, **function}
    for name, body in wrapper.items():
        if isinstance(body, dict) and name not in _BESIDE and (name.endswith("ToolCall") or "args" in body):
            return name, body
    return None


def action_of(name: str, given: Any) -> Action:
    args = given if isinstance(given, dict) else {}
    short = name.removesuffix("ToolCall")
    if isinstance(args.get("todos"), list):
        return interpret("todo_write", {**args, "todos": _todos(args["todos"])})
    action = interpret(_NAMES.get(short, short), given)
    if isinstance(action, Shell):
        action.cwd = action.cwd or optional(args.get("workingDirectory"))
    return action


def _todos(values: Any) -> Any:
    """Todo items with their state in the common words (``TODO_STATUS_IN_PROGRESS`` is ``in_progress``)."""
    if not isinstance(values, list):
        return values
    return [
        {**v, "status": v["status"].removeprefix("TODO_STATUS_").lower()}
        if isinstance(v, dict) and isinstance(v.get("status"), str)
        else v
        for v in values
    ]


def result_of(call: ToolCall, body: dict[str, Any], source: Source, time: float | None) -> Result:
    given = body.get("result")
    outcome, value = "success", given
    if isinstance(given, dict):
        kinds = [k for k, v in given.items() if k == "success" or isinstance(v, dict)]
        outcome = "success" if "success" in kinds else (kinds[0] if kinds else "success")
        value = given.get(outcome, given)
    result = Result(text=_words(value), time=time, source=source)
    result.is_error = None if given is None else outcome != "success"
    if outcome in ("rejected", "permissionDenied", "writePermissionDenied"):
        result.denied = True
    elif outcome == "timeout":
        result.timed_out = result.interrupted = True
    elif outcome == "aborted":
        result.interrupted = True
    if not isinstance(value, dict):
        return result
    if isinstance(call.action, Shell):
        _shell(call.action, result, value)
    elif isinstance(call.action, Edit) and not result.is_error:
        _edit(call.action, call.name, value)
    if value.get("exceededLimit") is True or value.get("truncated") is True:
        result.truncated = True
    return result


def _words(value: Any) -> str:
    """What the tool gave back, as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        out, err = value.get("stdout"), value.get("stderr")
        if isinstance(out, str) or isinstance(err, str):
            return joined(string(out), string(err))
        for name in (
            "interleavedOutput",
            "output",
            "content",
            "error",
            "errorMessage",
            "reason",
            "message",
            "diffString",
        ):
            text = text_of(value.get(name))
            if text:
                return text
    return "" if value is None or value == {} else orjson.dumps(value).decode()


def _shell(action: Shell, result: Result, value: dict[str, Any]) -> None:
    result.exit_status = count_in(value, "exitCode")
    out, err = value.get("stdout"), value.get("stderr")
    if isinstance(out, str) or isinstance(err, str):
        result.stdout = result.text
    milliseconds = value.get("executionTime", value.get("localExecutionTimeMs"))
    if isinstance(milliseconds, int | float) and not isinstance(milliseconds, bool):
        result.duration = milliseconds / 1000
    if value.get("timedOut") is True or (isinstance(value.get("signal"), str) and value["signal"]):
        result.interrupted = True
        result.timed_out = value.get("timedOut") is True
    shell = value.get("shellId")
    if action.background and isinstance(shell, int | str) and not isinstance(shell, bool):
        result.shell_id = str(shell)


def _edit(action: Edit, name: str, value: dict[str, Any]) -> None:
    if len(action.changes) != 1:
        return
    change = action.changes[0]
    before, after = _before(value), value.get("afterFullFileContent", value.get("fileContentAfterWrite"))
    if before is not None:
        change.before = before
        if change.operation == "create":
            change.operation = "modify"
    if isinstance(after, str):
        change.after = after
        if name.startswith("edit") and before is None and not change.hunks:
            change.operation = "create" if _adds_all(value, after) else change.operation
    if not change.hunks and change.after is None and isinstance(value.get("diffString"), str):
        found = parse_patch(value["diffString"])
        if len(found) == 1:
            change.hunks = found[0].hunks


def _before(value: dict[str, Any]) -> str | None:
    for name in ("beforeFullFileContent", "originalContent"):
        if isinstance(value.get(name), str) and value[name]:
            return str(value[name])
    return None


def _adds_all(value: dict[str, Any], after: str) -> bool:
    """Whether the edit added every line that the file now has."""
    added, removed = count_in(value, "linesAdded"), count_in(value, "linesRemoved") or 0
    return added is not None and removed == 0 and added >= len(after.splitlines()) > 0


def content_of(event: dict[str, Any]) -> str:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    return "".join(string(block.get("text")) for block in objects(content))


def count_in(values: dict[str, Any], name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def milliseconds_in(value: Any) -> float | None:
    if isinstance(value, str) and value.isdigit():
        value = int(value[:15])
    return value / 1000 if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None
