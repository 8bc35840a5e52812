"""What the result of a Claude Code tool call states: exit status, output, files before the edit, ids of tasks."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from ...model import Edit, Plan, Result, Shell, ShellOutput, Source, ToolCall
from ...plans import checklist
from ..shared.values import joined
from .text import DENIALS
from .wire import ContentBlock, ResultPart, StructuredOutcome

_BACKGROUND = re.compile(r"running in (?:the )?background with ID: ([\w-]+)")
_WRITTEN_TO = re.compile(r"Output is being written to: (\S+?)\.?(?=\s|$)")
_AGENT = re.compile(r"agentId: ([\w-]+)")
_TASK = re.compile(r"Task #([\w-]+) created")
_EXIT_TAG = re.compile(r"<exit_code>(-?\d+)</exit_code>")
_LONG = 8_000
_NEVER_ENDED = (
    "[Request interrupted by user",
    "<tool_use_error>Sibling tool call errored",
    "<tool_use_error>Cancelled",
)


def text_of(content: str | list[ResultPart] | ResultPart | None) -> str:
    """The text of a tool result as the model saw it; images and references appear as their kind in brackets."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    return "\n".join(
        part.text if part.text is not None else f"[{joined(part.type, part.tool_name or '', by=': ')}]"
        for part in (content if isinstance(content, list) else [content])
    )


class LinePlace(NamedTuple):
    """Where and when a line is: its lane, its source, its time."""

    lane: str
    source: Source
    time: float | None


def result_of(
    call: ToolCall, block: ContentBlock, outcome: StructuredOutcome | None, refused: bool, at: LinePlace
) -> Result:
    """The result of ``call``; what it states about the action itself is written into the action."""
    content = block.content
    text = content if isinstance(content, str) else text_of(content)
    result = Result(text=text, is_error=block.is_error is True, time=at.time, source=at.source)
    if block.is_error:
        result.denied = refused or text.startswith(DENIALS)
        if text.startswith(_NEVER_ENDED):
            result.interrupted = True
    if outcome is not None:
        if outcome.interrupted:
            result.interrupted = True
        milliseconds = outcome.durationMs if outcome.durationMs is not None else outcome.totalDurationMs
        if milliseconds is not None:
            result.duration = milliseconds / 1000
        if outcome.persistedOutputPath is not None:
            result.full_output, result.truncated = outcome.persistedOutputPath, True
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


def _shell(action: Shell, result: Result, outcome: StructuredOutcome | None) -> None:
    text = result.text
    if result.is_error:
        if text.startswith("Exit code "):
            first, _, rest = text.partition("\n")
            number = first[10:].strip()
            if number.lstrip("-").isdigit() and len(number) < 12:
                result.exit_status, result.stdout = int(number), rest
        if "ommand timed out after" in text[:500] or "ommand timed out after" in text[-300:]:
            result.timed_out = result.interrupted = True
    if outcome is not None:
        _streams(result, outcome)
        if outcome.backgroundTaskId:
            result.shell_id, action.background = outcome.backgroundTaskId, True
    printed = outcome is not None and bool(outcome.stdout)  # in a program's own output these words mean nothing
    if result.shell_id is None and not printed and "background with ID: " in text[:400]:
        found = _BACKGROUND.search(text[:500])
        if found is not None:
            result.shell_id, action.background = found[1], True
    if result.shell_id is not None and (written := _WRITTEN_TO.search(text, 0, 1000)) is not None:
        result.full_output = written[1]
    if len(text) > _LONG and ("truncated] ..." in text or text.startswith("<persisted-output>")):
        result.truncated = True


def _streams(result: Result, outcome: StructuredOutcome) -> None:
    out, err = outcome.stdout, outcome.stderr
    if out is None and err is None:
        return
    both = f"{out}\n{err}" if out and err else out or err or ""
    # Usually the model saw exactly this: then both share one string.
    result.stdout = result.text if both == result.text else both


def _shell_output(action: ShellOutput, result: Result, outcome: StructuredOutcome | None) -> None:
    status = None
    if outcome is not None:
        _streams(result, outcome)
        status, result.exit_status = outcome.status, outcome.exitCode
        if action.shell_id is None:
            action.shell_id = outcome.shellId
        task = outcome.task
        if task is not None:
            status = task.status
            if task.exitCode is not None:
                result.exit_status = task.exitCode
            if task.output is not None:
                result.stdout = task.output
            if action.shell_id is None:
                action.shell_id = task.task_id
        if status == "killed":
            result.interrupted = True
    result.running = status == "running" or "<status>running</status>" in result.text[:2000]
    if result.exit_status is None:
        found = _EXIT_TAG.search(result.text, 0, 2000)
        if found is not None:
            result.exit_status = int(found[1])


def _edit(action: Edit, name: str, result: Result, outcome: StructuredOutcome | None) -> None:
    if result.is_error or len(action.changes) != 1:
        return
    change = action.changes[0]
    if name == "Write":
        existed = outcome is not None and outcome.type == "update"
        if existed or (outcome is None and "has been updated" in result.text[:600]):
            change.operation = "modify"
            # Only here the earlier text is worth decoding: nothing else says what the write replaced.
            if outcome is not None:
                before = decoded(outcome.originalFile)
                change.before = before if isinstance(before, str) else None
    if outcome is None or not outcome.userModified:
        return
    # The user changed the proposal before accepting it: the result, not the call, contains what was written.
    content = decoded(outcome.content)
    if change.after is not None and isinstance(content, str):
        change.after = content
        return
    patch = decoded(outcome.structuredPatch)
    hunks: list[tuple[str, str]] = []
    for hunk in patch if isinstance(patch, list) else ():
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        if isinstance(lines, list) and all(isinstance(line, str) for line in lines):
            old, new = ([line[1:] for line in lines if line[:1] in (mark, " ")] for mark in "-+")
            hunks.append(("\n".join(old), "\n".join(new)))
    if hunks:
        change.hunks, change.replace_all = hunks, False


def decoded(raw: msgspec.Raw) -> Any:
    """The value of an undecoded part; None also if it is absent (empty) or damaged."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _plan(action: Plan, result: Result, outcome: StructuredOutcome | None) -> None:
    if action.mode == "mode":
        # Since 2.1 the plan is in a file and the call is empty; the result contains the text.
        if not action.text and outcome is not None and outcome.plan:
            action.text, action.items = outcome.plan, checklist(outcome.plan)
        return
    if action.update == "add" and len(action.items) == 1 and not result.is_error:
        identity = outcome.task.id if outcome is not None and outcome.task is not None else None
        if identity is None:
            found = _TASK.search(result.text, 0, 200)
            identity = found[1] if found is not None else None
        if identity is not None:
            action.items[0].key = str(identity)


def spawned_agent(result: Result, outcome: StructuredOutcome | None) -> str | None:
    """The id of the sub-agent that a call started, from its result."""
    if outcome is not None and outcome.agentId:
        return outcome.agentId
    found = _AGENT.search(result.text)
    return found[1] if found is not None else None
