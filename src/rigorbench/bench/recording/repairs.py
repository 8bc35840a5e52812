"""Repairs answers of servers that break OpenAI's chat protocol, before the client reads them.

Some servers report errors with status 200, or a full context in words of their own; some send arguments of a call as an
object, negative counts, or half of a character that takes two code units. The client fails at each of these without
saying why, or the answer cannot be written down. What was repaired is noted in the journal of the run.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

from inspect_ai.model import Model

from ...base import journal
from .context import identity, recorder_of

# The texts of llama.cpp and vLLM; both use the word in other errors as well.
_FULL = re.compile(
    r"available context size|maximum context length|context (?:size|length|window) (?:is )?exceeded", re.I
)
_FULL_CODE = "context_length_exceeded"
_HALF = re.compile(r"[\ud800-\udfff]")
_UNKNOWN = 502
_LENGTH = 300


async def repair_answer(response: Any) -> None:
    """A hook of the client: replaces status and content of an answer that is broken."""
    is_json = "json" in response.headers.get("content-type", "")
    if not is_json or not response.request.url.path.endswith("/chat/completions"):
        return
    await response.aread()
    try:
        document = json.loads(response.content)
    except (ValueError, RecursionError):
        return
    status, wrong = repair(response.status_code, document)
    text = json.dumps(document, ensure_ascii=False)
    if _HALF.search(text):
        text = _HALF.sub("\ufffd", text)
        wrong.append("half a character")
    if not wrong and status == response.status_code and "error" not in document:
        return
    # The client has no other way to replace a content.
    response.status_code, response._content = status, text.encode()
    recorder = recorder_of(identity())
    if recorder is not None:
        for what in wrong:
            await recorder.record(journal.Note(time.time(), journal.REPAIRED, {"what": what}))


def repair(status: int, document: Any) -> tuple[int, list[str]]:
    """Repair a decoded answer in place; its new status, and what was wrong with it."""
    if not isinstance(document, dict):
        return status, []
    choices = document.get("choices")
    if status >= 400 or not choices or not isinstance(choices, list):
        # vLLM's older versions put at the top what others have inside of "error".
        inner = document.get("error") or document
        error: dict[str, Any] = inner if isinstance(inner, dict) else {"message": str(inner)}
        message, code = error.get("message") or error.get("detail"), error.get("code")
        message = message if isinstance(message, str) else json.dumps(message or document)[:_LENGTH]
        wrong = [] if status >= 400 else [f"an error with status {status}: {message}"]
        if code == _FULL_CODE or _FULL.search(message):
            document["error"] = {"message": message, "type": "invalid_request_error", "code": _FULL_CODE}
            return 400, wrong
        if status < 400:
            status = code if isinstance(code, int) and 400 <= code < 600 else _UNKNOWN
        return status, wrong
    # The counts of a usage that cannot be: negative ones, and more of a request from the cache than it has.
    counts = dict(_counts(document.get("usage")))
    wrong = [f"{name} {count}" for name, count in counts.items() if count < 0]
    cached, prompt = counts.get("cached_tokens", 0), counts.get("prompt_tokens")
    if not wrong and prompt is not None and cached > prompt:
        wrong.append(f"cached_tokens {cached} of {prompt}")
    if wrong:
        document["usage"] = None
        wrong = [f"impossible usage ({', '.join(wrong)})"]
    for message in _objects(choices, "message"):
        for function in _objects(message.get("tool_calls"), "function"):
            wrong += _arguments(function)
    return status, wrong


def _objects(found: Any, name: str) -> list[dict[str, Any]]:
    items = found if isinstance(found, list) else []
    return [item[name] for item in items if isinstance(item, dict) and isinstance(item.get(name), dict)]


def _arguments(function: dict[str, Any]) -> list[str]:
    given = function.get("arguments")
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        return []
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(given, str) and not _HALF.search(text):
        return []
    function["arguments"] = text
    return [] if isinstance(given, str) else ["the arguments of a call are no text"]


def _counts(usage: Any) -> Iterator[tuple[str, float]]:
    for name, count in usage.items() if isinstance(usage, dict) else ():
        if isinstance(count, dict):
            yield from _counts(count)
        elif isinstance(count, int | float):
            yield name, count


def repair_answers(model: Model) -> None:
    """Repair what a client of OpenAI's protocol receives, also one that its provider has made anew."""
    hooks = getattr(getattr(model.api, "http_client", None), "event_hooks", {}).get("response")
    if hooks is not None and repair_answer not in hooks:
        hooks.append(repair_answer)
