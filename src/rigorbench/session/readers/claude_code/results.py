"""What the result of a Claude Code tool call states: exit status, output, files before the edit, ids of tasks."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...model import Edit, Plan, Result, Shell, ShellOutput, Source, ToolCall
from ...plans import checklist
from ..shared.values import integer, joined, mapping, millis, objects, optional, sequence, string
from .text import DENIALS

_BACKGROUND = re.compile(r"running in (?:the )?background with ID: ([\w-]+)")
_WRITTEN_TO = re.compile(r"Output is being written to: (\S+?)\.?(?=\s|$)")
_SAVED = re.compile(r"<persisted-output>\s.{0,200}?saved to: ([^\n]+)", re.DOTALL)
_AGENT = re.compile(r"agentId: ([\w-]+)")
_TASK = re.compile(r"Task #([\w-]+) created")
_EXIT_TAG = re.compile(r"<exit_code>(-?\d+)</exit_code>")
_LONG = 8_000
_NEVER_ENDED = (
    "[Request interrupted by user",
    "<tool_use_error>Sibling tool call errored",
    "<tool_use_error>Cancelled",
)


Outcome = dict[str, Any]
"""The structured result beside the text that the model saw; empty: there is none."""


def text_of(content: Any) -> str:
    """The text of a tool result as the model saw it; images and references appear as their kind in brackets."""
    if isinstance(content, str):
        return content
    return "\n".join(
        text
        if isinstance(text := part.get("text"), str)
        else f"[{joined(string(part.get('type')), string(part.get('tool_name')), by=': ')}]"
        for part in objects(content if isinstance(content, list) else [content])
    )


class LinePlace(NamedTuple):
    """Where and when a line is: its lane, its source, its time."""

    lane: str
    source: Source
    time: float | None


def result_of(call: ToolCall, block: dict[str, Any], outcome: Outcome, refused: bool, at: LinePlace) -> Result:
    """The result of ``call``; what it states about the action itself is written into the action."""
    text, failed = text_of(block.get("content")), block.get("is_error") is True
    result = Result(text=text, is_error=failed, time=at.time, source=at.source)
    if failed:
        result.denied = refused or text.startswith(DENIALS)
    result.interrupted = outcome.get("interrupted") is True or (failed and text.startswith(_NEVER_ENDED))
    taken = millis(outcome.get("durationMs"))
    result.duration = taken if taken is not None else millis(outcome.get("totalDurationMs"))
    shown = _SAVED.match(text)
    if (saved := optional(outcome.get("persistedOutputPath")) or (shown[1] if shown is not None else None)) is not None:
        result.full_output, result.truncated = saved, True
    action = call.action
    if isinstance(action, Shell):
        _shell(action, result, outcome)
    elif isinstance(action, Edit):
        _edit(action, call.name, result, outcome)
    elif isinstance(action, Plan):
        _plan(action, result, outcome)
    elif isinstance(action, ShellOutput):
        _shell_output(action, result, outcome)
    return result


def _shell(action: Shell, result: Result, outcome: Outcome) -> None:
    text = result.text
    if result.is_error:
        if text.startswith("Exit code "):
            first, _, rest = text.partition("\n")
            number = first[10:].strip()
            if number.lstrip("-").isdigit() and len(number) < 12:
                result.exit_status, result.stdout = int(number), rest
        if "ommand timed out after" in text[:500] or "ommand timed out after" in text[-300:]:
            result.timed_out = result.interrupted = True
    _streams(result, outcome)
    if (task := optional(outcome.get("backgroundTaskId"))) is not None:
        result.shell_id, action.background = task, True
    # In a program's own output these words mean nothing.
    if result.shell_id is None and not optional(outcome.get("stdout")) and "background with ID: " in text[:400]:
        found = _BACKGROUND.search(text[:500])
        if found is not None:
            result.shell_id, action.background = found[1], True
    if result.shell_id is not None and (written := _WRITTEN_TO.search(text, 0, 1000)) is not None:
        result.full_output = written[1]
    if len(text) > _LONG and "truncated] ..." in text:
        result.truncated = True


def _streams(result: Result, outcome: Outcome) -> None:
    streams = [text for name in ("stdout", "stderr") if isinstance(text := outcome.get(name), str)]
    if streams:
        both = joined(*streams)
        # Usually the model saw exactly this: then both share one string.
        result.stdout = result.text if both == result.text else both


def _shell_output(action: ShellOutput, result: Result, outcome: Outcome) -> None:
    _streams(result, outcome)
    task = mapping(outcome.get("task"))
    status = (task or outcome).get("status")
    code = integer(task.get("exitCode"))
    result.exit_status = code if code is not None else integer(outcome.get("exitCode"))
    if isinstance(printed := task.get("output"), str):
        result.stdout = printed
    if action.shell_id is None:
        action.shell_id = optional(outcome.get("shellId")) or optional(task.get("task_id"))
    if status == "killed":
        result.interrupted = True
    result.running = status == "running" or "<status>running</status>" in result.text[:2000]
    if result.exit_status is None:
        found = _EXIT_TAG.search(result.text, 0, 2000)
        if found is not None:
            result.exit_status = int(found[1])


def _edit(action: Edit, name: str, result: Result, outcome: Outcome) -> None:
    if result.is_error or len(action.changes) != 1:
        return
    change = action.changes[0]
    existed = outcome.get("type") == "update" or (not outcome and "has been updated" in result.text[:600])
    if name == "Write" and existed:
        change.operation = "modify"
        before = outcome.get("originalFile")
        change.before = before if isinstance(before, str) else None
    if outcome.get("userModified") is not True:
        return
    # The user changed the proposal before accepting it: the result, not the call, contains what was written.
    content = outcome.get("content")
    if change.after is not None and isinstance(content, str):
        change.after = content
        return
    hunks: list[tuple[str, str]] = []
    for hunk in objects(outcome.get("structuredPatch")):
        lines = [string(line) for line in sequence(hunk.get("lines"))]
        old, new = ([line[1:] for line in lines if line[:1] in (mark, " ")] for mark in "-+")
        hunks.append(("\n".join(old), "\n".join(new)))
    if hunks:
        change.hunks, change.replace_all = hunks, False


def _plan(action: Plan, result: Result, outcome: Outcome) -> None:
    if action.mode == "mode":
        # Since 2.1 the plan is in a file and the call is empty; the result contains the text.
        if not action.text and (plan := optional(outcome.get("plan"))) is not None:
            action.text, action.items = plan, checklist(plan)
        return
    if action.update == "add" and len(action.items) == 1 and not result.is_error:
        identity = mapping(outcome.get("task")).get("id")
        if not isinstance(identity, str | int):
            found = _TASK.search(result.text, 0, 200)
            identity = found[1] if found is not None else None
        if identity is not None:
            action.items[0].key = str(identity)


def spawned_agent(result: Result, outcome: Outcome) -> str | None:
    """The id of the sub-agent that a call started, from its result."""
    found = _AGENT.search(result.text)
    return optional(outcome.get("agentId")) or (found[1] if found is not None else None)
