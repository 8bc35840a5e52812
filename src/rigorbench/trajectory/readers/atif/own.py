"""What our own exporter adds to an ATIF document, and how a document of ours is recognised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model import Usage

KEY = "rigorbench"


_VERSION = 1


def is_own(document: Mapping[str, Any]) -> bool:
    """Whether :func:`to_atif` wrote this document."""
    return _own(document).get("version") == _VERSION


def usage_of(metrics: dict[str, Any]) -> Usage | None:
    """The usage that exported metrics tell; None if they tell nothing."""
    if not metrics:
        return None
    extra = metrics.get("extra")
    extra = extra if isinstance(extra, dict) else {}
    prompt, read, write = (
        _count(metrics.get("prompt_tokens")),
        _count(metrics.get("cached_tokens")),
        _count(extra.get("cache_creation_input_tokens")),
    )
    rest = None if prompt is None else prompt - (read or 0) - (write or 0)
    output, reasoning = _count(metrics.get("completion_tokens")), _count(extra.get("reasoning_tokens"))
    return Usage(rest, read, write, output, reasoning)


def _own(value: Any) -> dict[str, Any]:
    extra = value.get("extra") if isinstance(value, Mapping) else None
    own = extra.get(KEY) if isinstance(extra, dict) else None
    return own if isinstance(own, dict) else {}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
