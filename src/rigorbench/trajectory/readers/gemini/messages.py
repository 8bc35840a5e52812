"""The parts of a Gemini CLI message: its text, who wrote it, and its token counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model import Role
from ...usage import Usage
from ..shared.usage import difference
from ..shared.values import integer

# What the harness says in the user's place.
_HARNESS = (
    "<session_context>",
    "<hook_context>",
    "This is the Gemini CLI. We are setting up the context",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: ",
    "Please continue.",
)
_REFERENCED = "\n--- Content from referenced files ---"


def text_of_parts(content: Any) -> str:
    """The text of a part list (thoughts, calls and results left out)."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    texts = []
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("thought") is not True:
            texts.append(part["text"])
    return "\n".join(texts)


def user_texts(message: dict[str, Any], from_agent: bool) -> Iterator[tuple[Role, str]]:
    """The texts of a ``user`` message by who wrote them; nothing for a message that only repeats tool results."""
    text = text_of_parts(message.get("content"))
    shown = text_of_parts(message.get("displayContent"))
    if not text and not shown:
        return
    start = text[:200].lstrip()
    if start.startswith("<state_snapshot>") or "<state_snapshot>" in start:
        yield "compaction", text
    elif start.startswith(_HARNESS) or from_agent:
        yield "harness", text
    elif shown and shown != text:
        yield "user", shown
        yield "harness", text
    elif _REFERENCED in text:
        words, _, files = text.partition(_REFERENCED)
        yield "user", words
        yield "harness", _REFERENCED.lstrip() + files
    else:
        yield "user", text


def usage_of(tokens: Any) -> Usage | None:
    if not isinstance(tokens, dict):
        return None
    prompt, cached = integer(tokens.get("input")), integer(tokens.get("cached"))
    output, thoughts = integer(tokens.get("output")), integer(tokens.get("thoughts"))
    if not prompt and not output and not thoughts:
        return None  # zeros as well: they mean a lost count, as no call has an empty prompt
    return Usage(
        input=difference(prompt, cached),
        cache_read=cached,
        output=None if output is None else output + (thoughts or 0),
        reasoning=thoughts,
    )
