"""What the records of Codex logs state: token counts, executed commands, applied patches, MCP calls."""

from __future__ import annotations

from typing import Any

from ...model import Edit, FileChange, Operation, Result, Source, ToolCall
from ...patches import unified
from ...usage import TokenUsage
from ..shared.usage import uncached
from ..shared.values import integer, mapping, objects, string

Record = dict[str, Any]
_COUNTS = (
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
    "total_tokens",
)


def usage_of(counts: Record) -> TokenUsage:
    """``input_tokens`` includes the cached part of the prompt, and ``output_tokens`` the reasoning."""
    prompt, read, write, output, reasoning, _ = (integer(counts.get(name)) for name in _COUNTS)
    return TokenUsage(uncached(prompt, read, write), read, write, output, reasoning)


def same_count(one: Record, other: Any) -> bool:
    """Whether two counts of a running total are the same count."""
    names = ("input_tokens", "output_tokens", "total_tokens")
    return isinstance(other, dict) and all(one.get(name) == other.get(name) for name in names)


def minus(counts: Record, before: Record) -> Record:
    pairs = ((name, integer(counts.get(name)), integer(before.get(name))) for name in _COUNTS)
    return {name: max(0, now - (then or 0)) for name, now, then in pairs if now is not None}


def printed(event: Record) -> str | None:
    """The output of a command that ended: by ``exec_command_end``, or the ``CommandExecution`` item."""
    whole, out, err = (event.get(name) for name in ("aggregated_output", "stdout", "stderr"))
    both = string(whole) or string(out) + string(err)
    return both if both or isinstance(whole, str) or isinstance(out, str) else None


def seconds(duration: Any) -> float | None:
    """Seconds of ``{secs, nanos}`` or of a text such as "1.5s" or "320ms"."""
    if isinstance(duration, dict):
        whole, nanos = (value if isinstance(value := duration.get(n), int | float) else 0 for n in ("secs", "nanos"))
        return whole + nanos / 1e9
    number = string(duration).rstrip("µnms")
    try:
        return float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "m": 60.0}.get(string(duration)[len(number) :], 1.0)
    except ValueError:
        return None


# What the records of an executed command, an applied patch and an MCP call add to their call


def apply_execution(call: ToolCall, event: Record, time: float | None, source: Source) -> None:
    output, exit_code = printed(event), integer(event.get("exit_code"))
    result = call.result
    if result is None:
        result = call.result = Result(output or "", time=time, source=source)
    if event.get("status") == "declined":
        result.denied = True
    if result.shell_id is not None and exit_code is None:
        return  # the call returned while the command went on, and the record does not state how it ended
    state_end(result, exit_code)
    if event.get("duration") is not None:
        result.duration = seconds(event["duration"])
    if output is not None:
        result.stdout = output


def state_end(result: Result, exit_code: int | None) -> None:
    """Codex reports a negative exit code for a process that it ended itself: how it would have ended is unknown."""
    if exit_code is not None and exit_code < 0:
        result.interrupted = True
    elif exit_code is not None:
        result.exit_status = exit_code


def apply_patch(call: ToolCall, patch: Record, time: float | None, source: Source) -> None:
    """A patch that was applied or refused: ``patch_apply_*`` events, or the ``FileChange`` item."""
    success, status = patch.get("success"), patch.get("status")
    failed = success is False or status in ("failed", "declined")
    applied = success is True or status == "completed"
    if isinstance(call.action, Edit) and not failed:
        changes = recorded_changes(patch.get("changes"))
        if changes:
            call.action.changes = changes
    if call.result is None and (failed or applied):
        call.result = Result(string(patch.get("stdout")) + string(patch.get("stderr")), time=time, source=source)
    if call.result is not None:
        if failed or applied:
            call.result.is_error = failed
        if status == "declined":
            call.result.denied = True


def apply_mcp(result: Result, event: Record) -> None:
    """An MCP call that ended: ``mcp_tool_call_end``, or the ``McpToolCall`` item."""
    outcome, status = mapping(event.get("result")), event.get("status")
    fine = outcome.get("Ok")
    if isinstance(fine, dict):
        result.is_error = fine.get("isError") is True or fine.get("is_error") is True
    elif "Err" in outcome:
        result.is_error = True
    if status in ("completed", "failed"):
        result.is_error = status == "failed"
    result.duration = seconds(event["duration"]) if event.get("duration") is not None else result.duration


# The exact file changes that Codex records for an applied patch


_OPERATIONS: dict[str, Operation] = {"add": "create", "update": "modify", "delete": "delete"}


def recorded_changes(changes: Any) -> list[FileChange]:
    """Changes from ``{path: {type, ...}}``, ``{path: {type: {...}}}`` (2025) or ``[{path, kind}]``; else []."""
    found: list[FileChange] = []
    for path, change in mapping(changes).items():
        if isinstance(change, dict):
            kind = change.get("type")
            if not isinstance(kind, str):
                kind = next((k for k in _OPERATIONS if k in change), "update")
                change = mapping(change.get(kind))
            found.append(_made(path, kind, change))
    for change in objects(changes):
        if isinstance(named := change.get("path"), str):
            stated = change.get("kind")
            name = stated.get("type") if isinstance(stated, dict) else stated
            found.append(_made(named, str(name), {**change, **mapping(stated)}))
    return found


def _made(path: str, kind: str, change: Record) -> FileChange:
    made = FileChange(path, _OPERATIONS.get(kind, "modify"))
    content, diff, moved = change.get("content"), change.get("unified_diff"), change.get("move_path")
    if made.operation == "create":
        made.after = content if isinstance(content, str) else None
    elif made.operation == "delete":
        made.before = content if isinstance(content, str) else None
    elif isinstance(diff, str):
        made.hunks = diff_hunks(diff)
    if isinstance(moved, str) and moved and moved != path:
        made.operation, made.new_path = "rename", moved
    return made


def diff_hunks(diff: str) -> list[tuple[str, str]]:
    """(old, new) text of every hunk, context included, of a unified diff of one file (with or without file header)."""
    return [hunk for change in unified(f"--- a\n+++ b\n{diff}") for hunk in change.hunks]
