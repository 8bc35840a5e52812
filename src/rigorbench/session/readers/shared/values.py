"""Loosely typed JSON: a value of the expected type, or "nothing there".

Logs are written by many versions of many programs and get damaged on the way. Readers take every value through these
functions, so that a string where an object was expected reads as "nothing there" and does not crash.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson

from ...model import Trajectory

_NOTHING: dict[str, Any] = {}


def mapping(value: Any) -> dict[str, Any]:
    """The object, or an empty one (shared: not to be written to)."""
    return value if isinstance(value, dict) else _NOTHING


def sequence(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def optional(value: Any) -> str | None:
    """The string, or None when it is missing or empty."""
    return value if isinstance(value, str) and value else None


def integer(value: Any) -> int | None:
    if isinstance(value, int):
        return None if isinstance(value, bool) else value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def arguments(value: Any) -> Any:
    """Tool arguments: the value that a JSON string encodes, else the value itself."""
    if isinstance(value, str):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value


def joined(*texts: str, by: str = "\n") -> str:
    return by.join(filter(None, texts))


def is_file_name(name: str) -> bool:
    """Whether an id from a log may be used as a file name: nothing outside the folder is ever opened."""
    return name not in ("", ".", "..") and not set(name) & {"/", "\\", "\x00"}


def thinking_of(blocks: Any) -> str:
    texts = (block.get("thinking") for block in objects(blocks))
    return "\n".join(text for text in texts if isinstance(text, str))


def iso_time(value: Any) -> float | None:
    """Seconds since the epoch of an ISO 8601 time; one without a zone counts as UTC. None if it is not a time."""
    if not isinstance(value, str) or len(value) < 10:
        return None
    try:
        return _timestamp(datetime.fromisoformat(value))
    except (ValueError, OverflowError):
        return None


def millis(value: Any) -> float | None:
    """Seconds from milliseconds, of a time since the epoch or of a duration."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value / 1000 if -1e15 < value < 1e15 else None


def seconds(value: Any) -> float | None:
    """Seconds since the epoch of a time in any form: seconds or milliseconds since the epoch, ISO 8601, a datetime.

    A time of day without a zone counts as UTC.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not 0 < value < 1e14:
            return None
        return value / 1000.0 if value > 1e11 else float(value)
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value)
        return _timestamp(value) if isinstance(value, datetime) else None
    except (OverflowError, OSError, ValueError):
        return None


def _timestamp(moment: datetime) -> float:
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()


def set_times(trajectory: Trajectory, *noted: float | None) -> None:
    """Sets start and end to the first and last time that was noted or is in the steps, where the log states none."""
    times = [time for time in noted if time is not None]
    for step in trajectory.steps:
        results = (call.result.time if call.result is not None else None for call in step.calls)
        times += [t for t in (step.time, *(call.time for call in step.calls), *results) if t is not None]
    if times and trajectory.started_at is None:
        trajectory.started_at = min(times)
    if times and trajectory.ended_at is None:
        trajectory.ended_at = max(times)
