"""The fields of a Claude Code log line that are read, with their types, so that the parser skips the rest quickly.

Lines that do not fit these types are read again by :func:`lenient`, which keeps every usable field.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec
import orjson
from msgspec import Raw, Struct, ValidationError, field

# gc=False: none of these can be part of a reference cycle, and tens of thousands are created and dropped.


class ResultPart(Struct, gc=False):
    """One element of a tool result (text, image, reference to a tool)."""

    type: str = ""
    text: str | None = None
    tool_name: str | None = None


class ContentBlock(Struct, gc=False):
    """One content block of a message: text, thinking, tool_use, tool_result (and their server-side kin)."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: str | list[ResultPart] | ResultPart | None = None
    is_error: bool | None = None


class OutputDetails(Struct, gc=False):
    thinking_tokens: int | None = None


class Written(Struct, gc=False):
    ephemeral_1h_input_tokens: int | None = None


class ClaudeTokens(Struct, gc=False):
    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: Written | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None
    output_tokens_details: OutputDetails | None = None


class ClaudeMessage(Struct, gc=False):
    id: str | None = None
    model: str | None = None
    content: str | list[ContentBlock] | None = None
    usage: ClaudeTokens | None = None
    stop_reason: str | None = None

    def blocks(self) -> list[ContentBlock]:
        content = self.content
        return [ContentBlock("text", content)] if isinstance(content, str) else content or []


class ClaudeTask(Struct, gc=False):
    """A todo item (``id``) or a background task (the rest), in the results that carry one."""

    id: str | int | None = None
    task_id: str | None = None
    task_type: str | None = None
    status: str | None = None
    output: str | None = None
    exitCode: int | None = None


class StructuredOutcome(Struct, gc=False):
    """The structured result beside the text that the model saw.

    ``originalFile`` stays undecoded: it makes up most of the bytes of a session, and only whole-file writes need it
    (an edit's hunks say what it changed).
    """

    type: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    interrupted: bool | None = None
    backgroundTaskId: str | None = None
    persistedOutputPath: str | None = None
    originalFile: Raw = Raw(b"")
    structuredPatch: Raw = Raw(b"")
    content: Raw = Raw(b"")
    userModified: bool | None = None
    task: ClaudeTask | None = None
    agentId: str | None = None
    plan: str | None = None
    shellId: str | None = None
    status: str | None = None
    exitCode: int | None = None
    durationMs: float | None = None
    totalDurationMs: float | None = None


class LineOrigin(Struct, gc=False):
    kind: str | None = None


class Decision(Struct, gc=False):
    decision: str | None = None


class Context(Struct, gc=False):
    gitStatus: str | None = None


class Attachment(Struct, gc=False):
    """``queued_command``: what was typed while the agent worked. ``session_context``: the state of the repository."""

    type: str = ""
    prompt: str | list[ResultPart] | None = None
    commandMode: str | None = None
    origin: LineOrigin | None = None
    context: Context | None = None


ToolOutcome = StructuredOutcome | str | list[Raw] | bool | float | None


class Inner(Struct, gc=False):
    """A sub-agent's line, carried inside a ``progress`` line of its parent."""

    type: str = ""
    uuid: str | None = None
    timestamp: str | None = None
    message: ClaudeMessage | None = None
    toolUseResult: ToolOutcome = None


class Progress(Struct, gc=False):
    type: str = ""
    agentId: str | None = None
    prompt: Raw = Raw(b"")
    message: Inner | None = None


class LogLine(Struct, gc=False):
    """What the persisted log and the stream have in common."""

    type: str = ""
    subtype: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    message: ClaudeMessage | None = None


class PersistedLine(LogLine, gc=False):
    parentUuid: str | None = None
    sessionId: str | None = None
    version: str | None = None
    gitBranch: str | None = None
    isSidechain: bool | None = None
    agentId: str | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    promptSource: str | None = None
    origin: LineOrigin | None = None
    permissionDecision: Decision | None = None
    requestId: str | None = None
    toolUseResult: ToolOutcome = None
    parentToolUseID: str | None = None
    data: Progress | None = None
    attachment: Attachment | None = None
    operation: str | None = None
    content: str | None = None


class ModelTotals(Struct, gc=False):
    inputTokens: int | None = None
    outputTokens: int | None = None
    cacheReadInputTokens: int | None = None
    cacheCreationInputTokens: int | None = None


class Denial(Struct, gc=False):
    tool_use_id: str | None = None


class StreamLine(LogLine, gc=False):
    sessionId: str | None = field(default=None, name="session_id")
    parentToolUseID: str | None = field(default=None, name="parent_tool_use_id")
    agentId: str | None = field(default=None, name="agent_id")
    toolUseResult: ToolOutcome = field(default=None, name="tool_use_result")
    isSynthetic: bool | None = None
    model: str | None = None
    version: str | None = field(default=None, name="claude_code_version")
    task_id: str | None = None
    tool_use_id: str | None = None
    prompt: str | None = None
    summary: str | None = None
    subagent_type: str | None = None
    is_error: bool | None = None
    usage: ClaudeTokens | None = None
    modelUsage: dict[str, ModelTotals] | None = None
    total_cost_usd: float | None = None
    permission_denials: list[Denial] | None = None


persisted: msgspec.json.Decoder[PersistedLine] = msgspec.json.Decoder(PersistedLine)
streamed: msgspec.json.Decoder[StreamLine] = msgspec.json.Decoder(StreamLine)

_S = TypeVar("_S", bound=Struct)

# The structure inside a field that did not fit as a whole, which is then read field by field: (structure, is a list).
_NESTED: dict[tuple[type[Struct], str], tuple[type[Struct], bool]] = {
    **{(kind, "message"): (ClaudeMessage, False) for kind in (PersistedLine, StreamLine, Inner)},
    **{(kind, "toolUseResult"): (StructuredOutcome, False) for kind in (PersistedLine, StreamLine, Inner)},
    **{(kind, "usage"): (ClaudeTokens, False) for kind in (ClaudeMessage, StreamLine)},
    (PersistedLine, "data"): (Progress, False),
    (PersistedLine, "attachment"): (Attachment, False),
    (Progress, "message"): (Inner, False),
    (StructuredOutcome, "task"): (ClaudeTask, False),
    (ClaudeMessage, "content"): (ContentBlock, True),
    (ContentBlock, "content"): (ResultPart, True),
    (Attachment, "prompt"): (ResultPart, True),
    (StreamLine, "permission_denials"): (Denial, True),
}


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str, Any], ...]:
    return tuple((f.name, f.encode_name, f.type) for f in msgspec.structs.fields(kind))


def lenient(kind: type[_S], value: dict[str, Any]) -> _S:
    """``value`` as ``kind``, each field that does not fit left at its default, nested structures likewise."""
    kept: dict[str, Any] = {}
    for name, encoded, expected in _fields(kind):
        if encoded not in value:
            continue
        given = value[encoded]
        if expected is Raw:
            kept[name] = Raw(orjson.dumps(given))
            continue
        try:
            kept[name] = msgspec.convert(given, expected)
            continue
        except (ValidationError, RecursionError):
            pass
        inner, many = _NESTED.get((kind, name), (None, False))
        if inner is not None and many:
            values = given if isinstance(given, list) else [given]
            kept[name] = [lenient(inner, v) for v in values if isinstance(v, dict)]
        elif inner is not None and isinstance(given, dict):
            kept[name] = lenient(inner, given)
    return kind(**kept)
