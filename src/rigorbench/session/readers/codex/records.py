"""The records of Codex logs that are read, as typed structs: only the fields that are used are decoded.

Field names are the log's own. A field that a generation leaves out has a default; a field of another type than the one
declared makes the record one of unexpected shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct, field

from ...model import Edit, FileChange, Operation, Result, Source, ToolCall
from ...patches import unified
from ...usage import TokenUsage
from ..shared.usage import uncached
from ..shared.values import iso_time, mapping, objects

P = TypeVar("P")


class RolloutLine(Struct, Generic[P]):
    """A rollout line; its other fields are read from the line's fixed beginning."""

    payload: P


class CodexPart(Struct):
    type: str = ""
    text: str | None = None


class Passthrough(Struct):
    content_item_kinds: list[str] | None = None


class CodexMessage(Struct):
    role: str = ""
    content: list[CodexPart] | str | None = None
    id: str | None = None
    passthrough: Passthrough | None = field(default=None, name="internal_chat_message_metadata_passthrough")


class Reasoning(Struct):
    summary: list[CodexPart] | None = None
    content: list[CodexPart] | None = None


class CodexCall(Struct):
    """A call of a function, a custom tool, a shell or a search. ``namespace``: of a tool of an MCP server."""

    name: str = ""
    namespace: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    call_id: str | None = None
    id: str | None = None


class CodexOutput(Struct):
    call_id: str | None = None
    output: str | list[CodexPart] | dict[str, Any] | None = None
    tools: Any = None


class CodexTokens(Struct):
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_output_tokens: int | None = None
    total_tokens: int | None = None

    def normalised(self) -> TokenUsage:
        """``input_tokens`` includes the cached part of the prompt, and ``output_tokens`` the reasoning."""
        read, write = self.cached_input_tokens, self.cache_write_input_tokens
        rest = uncached(self.input_tokens, read, write)
        return TokenUsage(rest, read, write, self.output_tokens, self.reasoning_output_tokens)

    def same(self, other: CodexTokens | None) -> bool:
        """Whether two counts of a running total are the same count."""
        return other is not None and (
            (self.input_tokens, self.output_tokens, self.total_tokens)
            == (other.input_tokens, other.output_tokens, other.total_tokens)
        )

    def minus(self, other: CodexTokens) -> CodexTokens:
        names = self.__struct_fields__
        mine, theirs = msgspec.structs.asdict(self), msgspec.structs.asdict(other)
        return CodexTokens(*(None if mine[n] is None else max(0, mine[n] - (theirs[n] or 0)) for n in names))


class TokenInfo(Struct):
    total_token_usage: CodexTokens | None = None
    last_token_usage: CodexTokens | None = None


class TokenCount(Struct):
    info: TokenInfo | None = None


class UsageRecord(Struct):
    usage: CodexTokens | None = None
    thread_token_usage: CodexTokens | None = None
    response_id: str | None = None


class Git(Struct):
    commit_hash: str | None = None
    branch: str | None = None


class SessionMeta(Struct):
    id: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    source: Any = None
    agent_role: str | None = None


class Duration(Struct):
    secs: float = 0
    nanos: float = 0


class Execution(Struct):
    """A command that ended: ``exec_command_end``, or the ``CommandExecution`` item of later versions."""

    call_id: str | None = None
    id: str | None = None
    command: list[str] | str | None = None
    cwd: str | None = None
    source: str | None = None
    status: str | None = None
    aggregated_output: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    exit_code: int | None = None
    duration: Duration | str | None = None

    def output(self) -> str | None:
        if self.aggregated_output:
            return self.aggregated_output
        if self.stdout or self.stderr:
            return (self.stdout or "") + (self.stderr or "")
        return self.aggregated_output if self.aggregated_output is not None else self.stdout


class Patch(Struct):
    """A patch that was applied or refused: ``patch_apply_*`` events, or the ``FileChange`` item."""

    call_id: str | None = None
    id: str | None = None
    changes: dict[str, Any] | list[Any] | None = None
    success: bool | None = None
    status: str | None = None
    stdout: str | None = None
    stderr: str | None = None


class McpEnd(Struct):
    """An MCP call that ended: ``mcp_tool_call_end``, or the ``McpToolCall`` item."""

    call_id: str | None = None
    id: str | None = None
    status: str | None = None
    result: Any = None
    duration: Duration | str | None = None


class CodexItem(Struct, Generic[P]):
    item: P


class CodexEvent(Struct):
    """A turn or its end, an error, a compaction, a plan: each has some of these fields."""

    id: str | None = None
    text: str | None = None
    message: str | None = None
    reason: str | None = None
    model: str | None = None
    cwd: str | None = None
    num_turns: int | None = None
    started_at: float | None = None


def seconds(duration: Duration | str | None) -> float | None:
    """Seconds of ``{secs, nanos}`` or of a text such as "1.5s" or "320ms"."""
    if not isinstance(duration, str):
        return None if duration is None else duration.secs + duration.nanos / 1e9
    number = duration.rstrip("µnms")
    try:
        return float(number) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "m": 60.0}.get(duration[len(number) :], 1.0)
    except ValueError:
        return None


_minute = ("", 0.0)


def epoch(text: Any) -> float | None:
    """As :func:`iso_time`, but faster for times that follow each other."""
    if not isinstance(text, str):
        return None
    if len(text) == 24 and text[23] == "Z":
        # The usual form. Lines of one minute follow each other, so the minute is parsed once.
        global _minute
        minute, base = _minute
        if minute != text[:17]:
            try:
                base = datetime.fromisoformat(text[:17] + "00Z").timestamp()
            except (ValueError, OverflowError, OSError):
                return None
            _minute = (text[:17], base)
        try:
            return base + float(text[17:23])
        except ValueError:
            return None
    return iso_time(text)


# What the records of an executed command, an applied patch and an MCP call add to their call


def apply_execution(call: ToolCall, event: Execution, time: float | None, source: Source) -> None:
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
        result.duration = seconds(event.duration)
    if output is not None:
        result.stdout = output


def state_end(result: Result, exit_code: int | None) -> None:
    """Codex reports a negative exit code for a process that it ended itself: how it would have ended is unknown."""
    if exit_code is not None and exit_code < 0:
        result.interrupted = True
    elif exit_code is not None:
        result.exit_status = exit_code


def apply_patch(call: ToolCall, patch: Patch, time: float | None, source: Source) -> None:
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


def apply_mcp(result: Result, event: McpEnd) -> None:
    if isinstance(event.result, dict):
        fine = event.result.get("Ok")
        if isinstance(fine, dict):
            result.is_error = fine.get("isError") is True or fine.get("is_error") is True
        elif "Err" in event.result:
            result.is_error = True
    if event.status in ("completed", "failed"):
        result.is_error = event.status == "failed"
    result.duration = seconds(event.duration) if event.duration is not None else result.duration


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
