"""What the records of an executed command, an applied patch and an MCP call add to their call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model import Edit, FileChange, Operation, Result, Source, ToolCall
from ...patches import unified
from . import records as rec


def apply_execution(call: ToolCall, event: rec.Execution, time: float | None, source: Source) -> None:
    output = event.output()
    result = call.result
    if result is None:
        result = call.result = Result(output or "", time=time, source=source)
    if event.status == "declined":
        result.denied = True
    if result.shell_id is not None and event.exit_code is None:
        return  # the call returned while the command went on, and the record does not state how it ended
    state_end(result, event.exit_code)
    if event.duration is not None:
        result.duration = rec.seconds(event.duration)
    if output is not None:
        result.stdout = output


def state_end(result: Result, exit_code: int | None) -> None:
    """Codex reports a negative exit code for a process that it ended itself: how it would have ended is unknown."""
    if exit_code is not None and exit_code < 0:
        result.interrupted = True
    elif exit_code is not None:
        result.exit_status = exit_code


def apply_patch(call: ToolCall, patch: rec.Patch, time: float | None, source: Source) -> None:
    failed = patch.success is False or patch.status in ("failed", "declined")
    applied = patch.success is True or patch.status == "completed"
    if isinstance(call.action, Edit) and not failed:
        changes = recorded_changes(patch.changes)
        if changes:
            call.action.changes = changes
    if call.result is None and (failed or applied):
        call.result = Result((patch.stdout or "") + (patch.stderr or ""), time=time, source=source)
    if call.result is not None:
        if failed or applied:
            call.result.is_error = failed
        if patch.status == "declined":
            call.result.denied = True


def apply_mcp(result: Result, event: rec.McpEnd) -> None:
    if isinstance(event.result, dict):
        fine = event.result.get("Ok")
        if isinstance(fine, dict):
            result.is_error = fine.get("isError") is True or fine.get("is_error") is True
        elif "Err" in event.result:
            result.is_error = True
    if event.status in ("completed", "failed"):
        result.is_error = event.status == "failed"
    result.duration = rec.seconds(event.duration) if event.duration is not None else result.duration


# The exact file changes that Codex records for an applied patch


_OPERATIONS: dict[str, Operation] = {"add": "create", "update": "modify", "delete": "delete"}


def recorded_changes(changes: Any) -> list[FileChange]:
    """Changes from ``{path: {type, ...}}``, ``{path: {type: {...}}}`` (2025) or ``[{path, kind}]``; else []."""
    found: list[FileChange] = []
    if isinstance(changes, Mapping):
        for path, change in changes.items():
            if isinstance(path, str) and isinstance(change, Mapping):
                found.append(_change(path, change))
    elif isinstance(changes, list):
        for change in changes:
            if isinstance(change, Mapping) and isinstance(change.get("path"), str):
                found.append(_listed(change["path"], change))
    return found


def _change(path: str, change: Mapping[str, Any]) -> FileChange:
    kind = change.get("type")
    if not isinstance(kind, str):
        kind = next((k for k in ("add", "update", "delete") if k in change), "update")
        inner = change.get(kind)
        change = inner if isinstance(inner, Mapping) else {}
    return _made(path, kind, change)


def _listed(path: str, change: Mapping[str, Any]) -> FileChange:
    kind = change.get("kind")
    if isinstance(kind, Mapping):
        return _made(path, str(kind.get("type")), {**change, **kind})
    return _made(path, str(kind), change)


def _made(path: str, kind: str, change: Mapping[str, Any]) -> FileChange:
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
