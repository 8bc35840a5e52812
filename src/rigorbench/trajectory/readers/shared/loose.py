"""Loosely typed JSON: a value of the expected type, or the news that it is not there.

Logs are written by many versions of many programs and get damaged on the way. Readers take every value through these
functions, so that a string where an object was expected reads as "nothing there" and not as a crash.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

_NOTHING: dict[str, Any] = {}


def mapping(value: Any) -> dict[str, Any]:
    """The object, or an empty one (shared: not to be written to)."""
    return value if isinstance(value, dict) else _NOTHING


def sequence(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def optional(value: Any) -> str | None:
    """The string, or None when it is missing or empty."""
    return value if isinstance(value, str) and value else None


def integer(value: Any) -> int | None:
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def iso_time(value: Any) -> float | None:
    """Seconds since the epoch of an ISO 8601 time; one without a zone is taken as UTC. None if it is not a time."""
    if not isinstance(value, str) or len(value) < 10:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def millis(value: Any) -> float | None:
    """Seconds since the epoch from milliseconds since the epoch."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value / 1000 if -1e15 < value < 1e15 else None


def difference(total: int | None, *parts: int | None) -> int | None:
    """``total`` without its parts, never below zero: a part larger than its total was not inside it."""
    if total is None:
        return None
    rest = total - sum(part for part in parts if part is not None)
    return rest if rest >= 0 else total


def span(times: Any) -> tuple[float | None, float | None]:
    """The earliest and the latest of some times, of which any may be unknown."""
    known = [t for t in times if t is not None]
    return (min(known), max(known)) if known else (None, None)


def step_times(steps: Any) -> Any:
    """All times in some steps: their own, their calls' and their results'."""
    for step in steps:
        yield step.time
        for call in step.calls:
            yield call.time
            if call.result is not None:
                yield call.result.time
