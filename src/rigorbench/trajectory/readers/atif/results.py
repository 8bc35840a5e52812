"""What an ATIF observation result states, in the words of the tools that write ATIF.

ATIF itself has only text. Converters keep the rest under ``extra`` of the result, or (older ones, with one call a step)
of the step; Harbor's also rewrites the text of Claude Code's results, and keeps the original beside it.
"""

from __future__ import annotations

import re
from typing import Any

from ...model import Edit, Finish, Result, Shell, ShellOutput, Source, ToolCall, Wait
from ...tools import interpret, text_of
from ..codex.results import read_result
from ..mini_swe_agent.messages import fill_from_text
from ..shared.values import arguments as parsed
from ..shared.values import integer, iso_time, joined, mapping, optional, string
from ..swe_agent.commands import Viewer, interpret_action, name_of, refused

_HEAD = re.compile(
    r"\A(?:Error: )?(?:<returncode>(-?\d+)</returncode>|Exit code:? (-?\d+)\b|Exit Code: (-?\d+)\b)"
    r"|^(?:Process|Command) exited with (?:code|status) (-?\d+)\b|^Exit Code: (-?\d+)\s*$",
    re.MULTILINE,
)
_TAIL = re.compile(
    r"^\[exit_code\] (-?\d+)\s*$|\[(?:The c|C)ommand (?:completed|finished) with exit code (-?\d+)\.?\]"
    r"|^\s*<return-?code>\s*(-?\d+)|^Exit Code: (-?\d+)\s*$|^Command exited with code (-?\d+)\s*$",
    re.MULTILINE,
)
_DENIED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "The user rejected this tool use",
    "User rejected",
)
_TMUX_KEY = re.compile(r"(?:C-.|M-.|Escape|Enter|Tab|Space|Up|Down|Left|Right|BSpace|F\d+)(?:\s+(?:C-.|Enter))*")
# The first line of what Codex writes above the output of a command.
_CODEX_HEADER = ("Chunk ID: ", "Wall time: ", "Exit code: ")
# What Harbor writes below what Claude Code's model saw: the parts of the tool's own result, and that it failed.
_FAILED = "\n\n[error] tool reported failure"
_PARTS = "\n[metadata] {"
_STREAMS = re.compile(r"\n(?:\n\[stdout\]\n|(?=\n\[stderr\]\n))")
_CODES = ("exit_code", "exit_status", "returncode", "return_code", "exitCode")


def call_of(value: dict[str, Any], index: int, source: Source, time: float | None) -> ToolCall | None:
    """The call, or None if it has no name."""
    name = value.get("function_name")
    if not isinstance(name, str) or not name:
        return None
    identity = value.get("tool_call_id")
    arguments = parsed(value.get("arguments"))
    call = ToolCall(
        identity if isinstance(identity, str) and identity else f"call-{index}",
        name,
        arguments,
        interpret(name, arguments),
        source,
        time=time,
    )
    args = mapping(arguments)
    if "raw_action" in args and isinstance(args["raw_action"], str):
        call.action = interpret_action(args["raw_action"], None, Viewer(), None)
    elif "keystrokes" in args and isinstance(args["keystrokes"], str):
        call.action = _keystrokes(args["keystrokes"])
    elif name in ("mark_task_complete", "task_complete"):
        call.action = Finish()
    return call


def _keystrokes(keys: str) -> Shell | ShellOutput | Wait:
    """What Terminus types into its terminal: a command line, keys for a running program, or nothing while it waits."""
    if not keys.strip():
        return Wait("terminal")
    if _TMUX_KEY.fullmatch(keys.strip()) or not keys.endswith("\n"):
        return ShellOutput(stdin=keys)
    return Shell(keys.rstrip("\n"))


def result_of(
    call: ToolCall | None, value: dict[str, Any], step_extra: dict[str, Any], source: Source, time: float | None
) -> Result:
    """The result; what it states about the call's action is written into the action.

    ``step_extra``: the step's ``extra``, {} unless it is about this one result.
    """
    extra = mapping(value.get("extra"))
    metadata = mapping(extra.get("tool_result_metadata") or step_extra.get("tool_result_metadata"))
    raw = mapping(metadata.get("raw_tool_result"))
    outcome = mapping(metadata.get("tool_use_result"))
    failed: bool | None = None
    if "content" in raw:
        text = text_of(raw["content"])
    else:
        text, failed, appended = _apart(text_of(value.get("content")))
        outcome = outcome or appended
    result = Result(text, time=time, source=source)
    stated = iso_time(extra.get("timestamp"))
    if stated is not None:
        result.time = stated
    loose = mapping(step_extra.get("tool_metadata"))
    result.is_error = _flag(
        extra.get("is_error"),
        extra.get("tool_result_is_error"),
        raw.get("is_error"),
        metadata.get("is_error"),
        step_extra.get("tool_result_is_error"),
        _inverted(extra.get("success")),
        failed,
    )
    result.exit_status = _code(extra, metadata, outcome, loose)
    result.duration = _duration(extra, outcome, loose)
    result.interrupted = outcome.get("interrupted") is True or extra.get("interrupted") is True
    result.timed_out = extra.get("timed_out") is True or text.startswith("Command timed out after")
    result.denied = result.is_error is True and text.lstrip().startswith(_DENIED)
    if isinstance(outcome.get("stdout"), str):
        result.stdout = joined(outcome["stdout"], string(outcome.get("stderr")))
    if call is not None:
        _enrich(call, result, outcome)
    return result


def _apart(content: str) -> tuple[str, bool | None, dict[str, Any]]:
    """The text that the model saw, whether the tool failed (None: not stated), and the tool's own result."""
    if content.endswith(_FAILED):
        return content.removesuffix(_FAILED), True, {}
    before, mark, rest = content.rpartition(_PARTS)
    outcome = mapping(parsed("{" + rest)) if mark else {}
    if not outcome:
        return content, None, {}
    text, *printed = _STREAMS.split(before, maxsplit=1)
    if printed:
        out, _, err = printed[0].partition("\n[stderr]\n")
        outcome = {**outcome, "stdout": out, "stderr": err}
    return text.removesuffix("\n"), False, outcome


def _enrich(call: ToolCall, result: Result, outcome: dict[str, Any]) -> None:
    action = call.action
    raw = mapping(call.input).get("raw_action")
    if isinstance(raw, str) and refused(name_of(raw), result.text):
        result.is_error = True
    if isinstance(action, Shell | ShellOutput):
        if result.text.startswith(_CODEX_HEADER):
            read_result(result, is_command=True)
        if result.exit_status is None and result.shell_id is None:
            fill_from_text(result, call)
        if result.exit_status is None and result.shell_id is None and not result.interrupted:
            result.exit_status = stated_status(result.text)
        identity = optional(outcome.get("backgroundTaskId"))
        if identity is not None and isinstance(action, Shell):
            action.background, result.shell_id = True, identity
    elif isinstance(action, Edit) and call.name == "apply_patch" and result.exit_status is None:
        result.exit_status = stated_status(result.text[:100])
    elif isinstance(action, Edit) and len(action.changes) == 1:
        change = action.changes[0]
        before = outcome.get("originalFile")
        if isinstance(before, str):
            change.before = before
        if outcome.get("type") == "update" and change.operation == "create":
            change.operation = "modify"


def stated_status(text: str) -> int | None:
    """The exit status that a shell result's text states where harnesses put it: in its first or last lines."""
    found = _HEAD.search(text[:400]) if "code" in text[:400].lower() else None
    if found is None and "code" in text[-400:].lower():
        found = _TAIL.search(text[-400:])
    return int(next(g for g in found.groups() if g is not None)) if found is not None else None


def _code(*sources: dict[str, Any]) -> int | None:
    for fields in sources:
        for name in _CODES:
            found = integer(fields.get(name))
            if found is not None:
                return found
    return None


def _duration(*sources: dict[str, Any]) -> float | None:
    for fields in sources:
        for name, unit in (("duration_ms", 0.001), ("durationMs", 0.001), ("duration_seconds", 1.0), ("duration", 1.0)):
            value = fields.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
                return value * unit
    return None


def _flag(*values: Any) -> bool | None:
    return next((v for v in values if isinstance(v, bool)), None)


def _inverted(value: Any) -> bool | None:
    return not value if isinstance(value, bool) else None
