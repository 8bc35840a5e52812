"""Repairs answers of servers that break OpenAI's chat protocol, before the client reads them.

Some servers report errors with status 200, or a full context in words of their own; some send arguments of a call as an
object, negative counts, or half of a character that takes two code units. The client fails at each of these without
saying why, or the answer cannot be written down. What was repaired is noted in the journal of the run.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any

from inspect_ai.model import Model

from ...trajectory import journal
from .context import identity
from .recorders import recorder_of

# The texts of llama.cpp and vLLM; both use the word in other errors as well.
_FULL = re.compile(
    r"available context size|maximum context length|context (?:size|length|window) (?:is )?exceeded", re.I
)
_HALF = re.compile(r"[\ud800-\udfff]")
_UNKNOWN = 502


async def repair_answer(response: Any) -> None:
    """A hook of the client: replaces status and content of an answer that is broken."""
    if not response.request.url.path.endswith("/chat/completions") or not _is_json(response):
        return
    await response.aread()
    try:
        document = json.loads(response.content)
    except ValueError:
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


def _is_json(response: Any) -> bool:
    return "json" in response.headers.get("content-type", "")


def repair(status: int, document: Any) -> tuple[int, list[str]]:
    """Repair a decoded answer in place; its new status, and what was wrong with it."""
    if not isinstance(document, dict):
        return status, []
    if status >= 400 or (document.get("error") and not document.get("choices")):
        return _error(status, document)
    wrong = [f"{name} {count}" for name, count in _counts(document.get("usage")) if count < 0]
    if wrong:
        document["usage"] = None
        wrong = [f"impossible usage ({', '.join(wrong)})"]
    for choice in document.get("choices") or ():
        for call in (choice.get("message") or {}).get("tool_calls") or ():
            wrong += _arguments(call.get("function") or {})
    return status, wrong


def _arguments(function: dict[str, Any]) -> list[str]:
    given = function.get("arguments")
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return []
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(given, str) and not _HALF.search(text):
        return []
    function["arguments"] = text
    return [] if isinstance(given, str) else ["the arguments of a call are no text"]


def _error(status: int, document: dict[str, Any]) -> tuple[int, list[str]]:
    # vLLM's older versions put at the top what others have inside of "error".
    inner = document.get("error", document)
    error: dict[str, Any] = inner if isinstance(inner, dict) else {"message": str(inner)}
    message, code = str(error.get("message")), error.get("code")
    wrong = [] if status >= 400 else [f"an error with status {status}: {message}"]
    if _FULL.search(message):
        document["error"] = {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"}
        return 400, wrong
    if status < 400:
        status = code if isinstance(code, int) and 400 <= code < 600 else _UNKNOWN
    return status, wrong


def _counts(usage: Any) -> list[tuple[str, int]]:
    return [(name, n) for name, n in usage.items() if isinstance(n, int)] if isinstance(usage, dict) else []


def repair_answers(model: Model) -> None:
    """Repair what a client of OpenAI's protocol receives, also one that its provider has made anew."""
    hooks = getattr(getattr(model.api, "http_client", None), "event_hooks", {}).get("response")
    if hooks is not None and repair_answer not in hooks:
        hooks.append(repair_answer)
