"""How ATIF documents are recognised, and what our own exporter adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...usage import Usage
from ..shared.values import mapping

KEY = "rigorbench"
VERSION = 1


def is_own(document: Mapping[str, Any]) -> bool:
    """Whether :func:`to_atif` wrote this document."""
    return own_fields(document).get("version") == VERSION


def is_document(value: Any) -> bool:
    """Whether a value is an ATIF document, by its schema version."""
    if not isinstance(value, Mapping):
        return False
    version = str(value.get("schema_version", ""))
    # Some writers leave the name out.
    return version.startswith("ATIF") or (
        version.lstrip("v")[:2] == "1."
        and isinstance(value.get("agent"), dict)
        and isinstance(value.get("steps"), list)
    )


def usage_of(metrics: dict[str, Any]) -> Usage | None:
    """The usage in exported metrics; None if there are none."""
    if not metrics:
        return None
    extra = mapping(metrics.get("extra"))
    prompt, read, write = (
        _count(metrics.get("prompt_tokens")),
        _count(metrics.get("cached_tokens")),
        _count(extra.get("cache_creation_input_tokens")),
    )
    rest = None if prompt is None else prompt - (read or 0) - (write or 0)
    output, reasoning = _count(metrics.get("completion_tokens")), _count(extra.get("reasoning_tokens"))
    return Usage(rest, read, write, output, reasoning, _count(extra.get("ephemeral_1h_input_tokens")))


def own_fields(value: Any) -> dict[str, Any]:
    """What our exporter added to an object of a document."""
    extra = value.get("extra") if isinstance(value, Mapping) else None
    return mapping(mapping(extra).get(KEY))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
