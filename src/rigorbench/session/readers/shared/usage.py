"""Token counts as vendors and harnesses write them, normalised to :class:`~rigorbench.session.usage.TokenUsage`."""

from __future__ import annotations

from typing import Any

from ...usage import TokenUsage
from .values import integer, mapping


def count(value: Any) -> int | None:
    """A token count, or None for anything that is not one (missing, a string, a negative number)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 2**53 else None


def first_count(*values: Any) -> int | None:
    return next((found for value in values if (found := count(value)) is not None), None)


def uncached(prompt: int | None, read: int | None, write: int | None) -> int | None:
    """The part of a prompt that neither came from the cache nor was written to it; never below zero."""
    return None if prompt is None else max(0, prompt - (read or 0) - (write or 0))


def difference(total: int | None, *parts: int | None) -> int | None:
    """``total`` without its parts. If they are larger than the total, they were not part of it: then the total."""
    if total is None:
        return None
    rest = total - sum(part for part in parts if part is not None)
    return rest if rest >= 0 else total


def named_usage(
    fields: dict[str, Any], names: tuple[str, ...], *, cache_in_prompt: bool = False, reasoning_apart: bool = False
) -> TokenUsage | None:
    """Usage from the fields for prompt, cache read, cache write, output and (if any) reasoning.

    None: neither the prompt's nor the output's count is stated. ``cache_in_prompt``: the prompt's includes the cache's;
    ``reasoning_apart``: the output's does not include the reasoning's.
    """
    prompt, read, write, output, *reasoning = (integer(fields.get(name)) for name in names)
    if prompt is None and output is None:
        return None
    if reasoning_apart and output is not None:
        output += reasoning[0] or 0
    return TokenUsage(difference(prompt, read, write) if cache_in_prompt else prompt, read, write, output, *reasoning)


def chat_usage(value: Any) -> TokenUsage | None:
    """Usage of one OpenAI-style reply (chat completions or responses), also with Anthropic's or DeepSeek's extra keys.

    The prompt count includes what came from the cache and what was written to it, so both are subtracted. (Anthropic's
    own ``input_tokens``, next to its cache counts, excludes them already.) Reasoning is part of the completion count.
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
    if prompt is None and output is None:
        return None
    details = mapping(value.get("prompt_tokens_details") or value.get("input_tokens_details"))
    read = first_count(
        details.get("cached_tokens"), value.get("cache_read_input_tokens"), value.get("prompt_cache_hit_tokens")
    )
    write = first_count(
        value.get("cache_creation_input_tokens"),
        details.get("cache_creation_tokens"),
        details.get("cache_write_tokens"),
    )
    spent = mapping(value.get("completion_tokens_details") or value.get("output_tokens_details"))
    reasoning = count(spent.get("reasoning_tokens"))
    return TokenUsage(prompt if apart else uncached(prompt, read, write), read, write, output, reasoning)
