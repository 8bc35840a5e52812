"""Token counts, tools and results in the records of Qwen Code."""

from __future__ import annotations

import re
from typing import Any

import orjson
from msgspec.structs import replace

from ...model import Edit, Result
from ...usage import Usage
from ..shared.values import mapping, objects, sequence

_EXIT = "\nExit Code: "
_SILENT = "Command exited with code: "
# The first version known to flag a shell command that failed. Before, a failed one was a "success" as well.
_FLAGS_SINCE = (0, 24)


def flags_failure(version: str | None) -> bool:
    """Whether this version of Qwen Code flags every shell command that failed."""
    numbers = re.findall(r"\d{1,6}", version or "")[:2]
    return tuple(int(n) for n in numbers) >= _FLAGS_SINCE


def without_cached(usage: Usage | None) -> Usage | None:
    if usage is None or usage.input is None or usage.cache_read is None:
        return usage
    return replace(usage, input=max(0, usage.input - usage.cache_read))


def _count(values: dict[str, Any], name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def usage_of(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt, cached = _count(value, "promptTokenCount"), _count(value, "cachedContentTokenCount")
    output, thoughts = _count(value, "candidatesTokenCount"), _count(value, "thoughtsTokenCount")
    total = _count(value, "totalTokenCount")
    if None not in (prompt, output, thoughts, total) and prompt + output + thoughts == total:  # type: ignore[operator]
        output = output + thoughts  # type: ignore[operator]  # Gemini's own service counts thoughts apart
    if prompt is None and output is None:
        return None
    return Usage(
        input=None if prompt is None else max(0, prompt - (cached or 0)),
        cache_read=cached,
        output=output,
        reasoning=thoughts,
    )


def response_text(response: Any) -> str:
    """What the model saw: the output, else the error, else the whole response."""
    if isinstance(response, str):
        return response
    if isinstance(response, dict):
        for name in ("output", "error", "content"):
            if isinstance(response.get(name), str):
                return str(response[name])
    return "" if response is None else orjson.dumps(response).decode()


def shell_result(result: Result, display: Any) -> None:
    if isinstance(display, dict):
        status = display.get("exitCode")
        if isinstance(status, int) and not isinstance(status, bool):
            result.exit_status = status
        if isinstance(display.get("output"), str):
            result.stdout = display["output"]
        result.truncated = display.get("truncated") is True
        files = display.get("outputFiles")
        if isinstance(files, list) and files and isinstance(files[0], str):
            result.full_output = files[0]
        outcome = display.get("outcome")
        if outcome in ("timed_out", "timeout"):
            result.timed_out = result.interrupted = True
        elif outcome in ("cancelled", "aborted", "killed"):
            result.interrupted = True
    text = result.text
    if result.exit_status is None:
        at = text.rfind(_EXIT)
        number = text[at + len(_EXIT) : at + len(_EXIT) + 12].split("\n", 1)[0].strip() if at >= 0 else ""
        if text.startswith(_SILENT):  # the display of a command that printed nothing
            number = text[len(_SILENT) :].strip()
        if number.lstrip("-").isdigit() and len(number) < 12:
            result.exit_status = int(number)
    if result.stdout is None and text.startswith("Command: "):
        start, end = text.find("\nOutput: "), text.rfind("\nError: ")
        if 0 <= start < end:
            output = text[start + 9 : end]
            result.stdout = "" if output == "(empty)" else output


def edit_result(action: Edit, result: Result, display: dict[str, Any]) -> None:
    before, after = display.get("originalContent"), display.get("newContent")
    if len(action.changes) != 1 or result.is_error or not isinstance(after, str):
        return
    change = action.changes[0]
    if before or not result.text.startswith("Successfully created"):
        change.operation = "modify" if before else change.operation
    if display.get("truncatedForSession") is True:
        return  # shortened copies: not the files
    if isinstance(before, str) and change.operation == "modify":
        change.before = before
    change.after = after


def summary_of(record: dict[str, Any]) -> str:
    history = sequence(mapping(record.get("systemPayload")).get("compressedHistory"))
    texts = [p.get("text") for p in objects(mapping(history[0]).get("parts"))] if history else []
    return "\n".join(t for t in texts if isinstance(t, str))
