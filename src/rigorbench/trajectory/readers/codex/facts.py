"""What the records of an executed command, an applied patch and an MCP call add to their call."""

from __future__ import annotations

from ...model import Edit, Result, Source, ToolCall
from . import records as rec
from .changes import recorded_changes


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
