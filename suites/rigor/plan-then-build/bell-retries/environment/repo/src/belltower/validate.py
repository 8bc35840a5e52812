"""Whether a request makes sense. Every check ends in ApiError 400, or gives back the value that was asked for."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from .wire import ApiError

_TOPIC = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
DEFAULT_LIMIT, MOST = 20, 100


def fields(body: Any, *names: str) -> list[Any]:
    """The values of exactly these fields of an object."""
    if not isinstance(body, dict):
        raise ApiError(400, "bad_body", "the body must be an object")
    unknown = sorted(set(body) - set(names))
    if unknown:
        raise ApiError(400, "unknown_field", f"no such field: {unknown[0]}")
    for name in names:
        if name not in body:
            raise ApiError(400, "missing_field", f"missing: {name}")
    return [body[name] for name in names]


def topic(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 64 or not _TOPIC.fullmatch(value):
        raise ApiError(400, "bad_topic", "a topic is made of small letters, digits and single . _ - between them")
    return value


def url(value: Any) -> str:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
    except ValueError:
        parts = None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ApiError(400, "bad_url", "an http or https URL is needed")
    return str(value)


def paging(query: dict[str, str]) -> tuple[int, int]:
    """(limit, after) of a list."""
    limit, after = query.get("limit", str(DEFAULT_LIMIT)), query.get("after", "0")
    if not re.fullmatch("[0-9]{1,3}", limit) or not 1 <= int(limit) <= MOST:
        raise ApiError(400, "bad_limit", f"limit goes from 1 to {MOST}")
    if not re.fullmatch("[0-9]{1,18}", after):
        raise ApiError(400, "bad_after", "after is the id of an item")
    return int(limit), int(after)
