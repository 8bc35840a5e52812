"""What the items of a ``codex exec`` stream mean as actions."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ...model import Action, Edit, Other, Plan, PlanItem, Read, Shell, Spawn, Wait
from ...plans import checklist
from ...tools import command_text, interpret
from ..shared.values import arguments, mapping, string
from .changes import recorded_changes

_SHELL_PREFIX = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh -l?c ")

# The fields of an item that the model gave; the others are results.
GIVEN = ("command", "changes", "server", "tool", "arguments", "query", "action", "prompt", "receiver_thread_ids")
BEGIN = {
    "exec_command_begin": "exec_command",
    "patch_apply_begin": "apply_patch",
    "mcp_tool_call_begin": "mcp_tool_call",
    "web_search_end": "web_search",
    "view_image_tool_call": "view_image",
}


def item_action(what: str, item: dict[str, Any]) -> Action:
    if what == "command_execution":
        return Shell(inner_command(item.get("command")))
    if what == "file_change":
        return Edit(recorded_changes(item.get("changes")))
    if what == "collab_tool_call":
        tool = item.get("tool")
        if tool == "spawn_agent":
            return Spawn(string(item.get("prompt")))
        if tool == "wait":
            return Wait()
    if what == "mcp_tool_call":
        return called(item)
    return Other(string(item.get("query")), inert=what == "web_search")


def called(invocation: dict[str, Any]) -> Action:
    """The action of a call to a tool of an MCP server."""
    return interpret(
        f"mcp__{invocation.get('server')}__{invocation.get('tool')}", arguments(invocation.get("arguments"))
    )


def begun_action(kind: str, msg: dict[str, Any]) -> Action:
    if kind == "exec_command_begin":
        return Shell(command_text(msg.get("command")), string(msg.get("cwd")) or None)
    if kind == "patch_apply_begin":
        return Edit(recorded_changes(msg.get("changes")))
    if kind == "mcp_tool_call_begin":
        return called(mapping(msg.get("invocation")))
    if kind == "view_image_tool_call":
        return Read(string(msg.get("path")))
    return Other(string(msg.get("query")), inert=kind == "web_search_end")


def inner_command(line: Any) -> str:
    """The script of a quoted ``bash -lc SCRIPT`` command line; anything else as it is."""
    if not isinstance(line, str):
        return command_text(line)
    found = _SHELL_PREFIX.match(line)
    if found is None:
        return line
    rest = line[found.end() :]
    if _QUOTED_WORD.fullmatch(rest) is None:
        return line
    return "".join(
        plain or single[1:-1] or _unescaped(double[1:-1]) or escaped[1:]
        for plain, single, double, escaped in _QUOTED_PART.findall(rest)
    )


# One word as shells quote it, and its parts: plain characters, '...', "...", and an escaped character.
_PARTS = r"""([^ \t\r\n'"\\]+)|('[^']*')|("[^"\\]*(?:\\[\s\S][^"\\]*)*")|(\\[\s\S])"""
_QUOTED_PART = re.compile(_PARTS)
_QUOTED_WORD = re.compile(rf"[ \t\r\n]*(?:{_PARTS})+[ \t\r\n]*")
# What a backslash escapes inside double quotes, as shlex reads them.
_ESCAPED = re.compile(r'\\([\\"])')


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def todo_items(values: Any) -> list[PlanItem]:
    items: list[PlanItem] = []
    for value in values if isinstance(values, list) else ():
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            items.append(PlanItem(value["text"], "completed" if value.get("completed") is True else "pending"))
    return items


def plan_mode(text: str) -> Plan:
    return Plan(checklist(text), mode="mode", text=text)


def outcome(result: Any) -> Any:
    return result.get("Ok", result.get("Err")) if isinstance(result, dict) else result


def convert(value: Any, kind: type[Any]) -> Any:
    """The value as a struct; None if it does not fit."""
    if not isinstance(value, dict):
        return None
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        return None
