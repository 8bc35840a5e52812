"""What logs built from chat-completion messages share: usage, arguments and times as the vendors write them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from ...logfile import LogFile
from ...model import Step, Trajectory, Usage


def count(value: Any) -> int | None:
    """A token count, or None for anything that is not one (missing, a string, a negative number)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 else None


def seconds(value: Any) -> float | None:
    """A time (number of seconds or milliseconds since the epoch, or ISO 8601) as seconds since the epoch.

    A time of day without a zone counts as UTC.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        if not 0 < value < 1e14:
            return None
        return value / 1000.0 if value > 1e11 else float(value)
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
    else:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.timestamp()
    except (OverflowError, OSError, ValueError):
        return None


def chat_usage(value: Any) -> Usage | None:
    """Usage of one OpenAI-style reply (chat completions or responses), also with Anthropic's or DeepSeek's extra keys.

    The prompt count includes what came from the cache and what was written to it, so both are taken off (Anthropic's
    own ``input_tokens`` beside its cache counts excludes them already); reasoning is part of the completion count.
    """
    if not isinstance(value, dict):
        return None
    prompt = count(value.get("prompt_tokens"))
    output = count(value.get("completion_tokens"))
    apart = prompt is None and any(k in value for k in ("cache_read_input_tokens", "cache_creation_input_tokens"))
    if prompt is None:
        prompt = count(value.get("input_tokens"))
    if output is None:
        output = count(value.get("output_tokens"))
    details = value.get("prompt_tokens_details") or value.get("input_tokens_details")
    details = details if isinstance(details, dict) else {}
    read = first_count(
        details.get("cached_tokens"), value.get("cache_read_input_tokens"), value.get("prompt_cache_hit_tokens")
    )
    write = first_count(
        value.get("cache_creation_input_tokens"),
        details.get("cache_creation_tokens"),
        details.get("cache_write_tokens"),
    )
    spent = value.get("completion_tokens_details") or value.get("output_tokens_details")
    reasoning = count(spent.get("reasoning_tokens")) if isinstance(spent, dict) else None
    if prompt is None and output is None:
        return None
    return Usage(prompt if apart else uncached(prompt, read, write), read, write, output, reasoning)


def first_count(*values: Any) -> int | None:
    for value in values:
        found = count(value)
        if found is not None:
            return found
    return None


def uncached(prompt: int | None, read: int | None, write: int | None) -> int | None:
    """The part of a prompt that neither came from the cache nor was written to it."""
    return None if prompt is None else max(0, prompt - (read or 0) - (write or 0))


def arguments(value: Any) -> Any:
    """Tool arguments: the object that a JSON string holds, else the value as it stands."""
    if isinstance(value, str):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value


def log_id(log: LogFile, *suffixes: str) -> str:
    """An id for a session whose log states none: the file's name without compression and format suffixes."""
    name = Path(log.name).name if log.path is not None else log.name.strip("<>")
    for suffix in (".gz", ".zst", *suffixes):
        if name.endswith(suffix) and len(name) > len(suffix):
            name = name[: -len(suffix)]
    return name


def set_times(trajectory: Trajectory) -> None:
    """Sets start and end to the first and last time seen, where the log does not state them."""
    times = [time for step in trajectory.steps for time in _times(step)]
    if times:
        if trajectory.started_at is None:
            trajectory.started_at = min(times)
        if trajectory.ended_at is None:
            trajectory.ended_at = max(times)


def _times(step: Step) -> list[float]:
    found = [step.time] if step.time is not None else []
    for call in step.calls:
        if call.time is not None:
            found.append(call.time)
        if call.result is not None and call.result.time is not None:
            found.append(call.result.time)
    return found
