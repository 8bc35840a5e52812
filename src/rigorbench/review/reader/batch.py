"""Requests and answers as lines of files: for a person, a cluster job, or the batch interface of a provider."""

from __future__ import annotations

import base64
import re
from typing import Any

import msgspec

from .backends.program import value_at
from .request import Reply, Request

FORMS = ("plain", "openai", "anthropic")
# Room for an answer and for what a model thinks before it.
_MOST_TOKENS = 16_000
_ID = re.compile(r"([A-Za-z0-9_-]{43})-(\d{1,9})")


class BatchError(ValueError):
    """A line that holds no answer. One line of text."""


def line(request: Request, form: str, model: str | None = None) -> bytes:
    """A request as a line of one of ``FORMS``. ``model``: needed for those of providers.

    Its ``custom_id`` has at most 64 letters, digits, ``-`` and ``_``, as the providers demand.
    """
    digest = base64.urlsafe_b64encode(bytes.fromhex(request.digest_sha256)).decode().rstrip("=")
    found: dict[str, Any] = {"custom_id": f"{digest}-{request.prompt_version}"}
    user = {"role": "user", "content": request.user}
    if form == "openai":
        form_of = {"type": "json_schema", "json_schema": {"name": "reading", "strict": True, "schema": request.schema}}
        messages = [{"role": "system", "content": request.system}, user]
        body = {"model": model, "messages": messages, "response_format": form_of}
        found |= {"method": "POST", "url": "/v1/chat/completions", "body": body}
    elif form == "anthropic":
        output = {"format": {"type": "json_schema", "schema": request.schema}}
        params = {"model": model, "max_tokens": _MOST_TOKENS, "system": request.system, "messages": [user]}
        found["params"] = params | {"output_config": output}
    else:
        found |= {"system": request.system, "user": request.user, "schema": request.schema}
    return msgspec.json.encode(found)


def read_line(data: bytes) -> tuple[str, int, Reply]:
    """The digest, the version of the request and the reply of a line, whatever its form.

    Raises:
        BatchError: it is none, or says that the request failed.
    """
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BatchError("is no JSON") from None
    named = _ID.fullmatch(str(value_at(found, "custom_id")))
    if named is None:
        raise BatchError("has no custom_id of `rigor reader export`")
    digest = base64.urlsafe_b64decode(named[1] + "=").hex()
    message, body = value_at(found, "result.message"), value_at(found, "response.body")
    said = value_at(body, "choices.0.message.content")
    if isinstance(value_at(found, "text"), str):
        reply = Reply(found["text"], _text(found, "model"))
    elif value_at(found, "answer") is not None:
        reply = Reply(msgspec.json.encode(found["answer"]).decode(), _text(found, "model"))
    elif isinstance(parts := value_at(message, "content"), list):
        texts = "".join(_text(part, "text") or "" for part in parts)
        reply = Reply(texts, _text(message, "model"), None, *_tokens(message, "input_tokens", "output_tokens"))
    elif isinstance(said, str):
        reply = Reply(said, _text(body, "model"), None, *_tokens(body, "prompt_tokens", "completion_tokens"))
    else:
        reasons = (
            value_at(body, "choices.0.message.refusal"), value_at(body, "error.message"),
            value_at(found, "error.message"), value_at(found, "result.error.error.message"),
            value_at(found, "result.type"),
        )  # fmt: skip
        why = next((reason for reason in reasons if isinstance(reason, str)), "it has neither `answer` nor `text`")
        raise BatchError(f"has no answer: {why[:200]}")
    return digest, int(named[2]), reply


def _tokens(message: Any, *names: str) -> list[int | None]:
    counts = [value_at(message, f"usage.{name}") for name in names]
    return [n if isinstance(n, int) and not isinstance(n, bool) else None for n in counts]


def _text(value: Any, key: str) -> str | None:
    found = value_at(value, key)
    return found if isinstance(found, str) else None
