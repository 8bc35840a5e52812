"""The next step of a script in a conversation, and the length of the conversation, both from its messages alone.

Nothing is remembered between calls, so that repeated calls, resumed sessions and parallel sessions all get the right
step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolInfo

from ...recording.threads import grouped

_MARK = re.compile(r"call_(\d{3})_\d+_[0-9a-f]{8}")
_CHARACTERS_PER_TOKEN = 4


def call_id(step: int, number: int, digest: str) -> str:
    """An id that identifies, in a later request, the step that made the call."""
    return f"call_{step:03d}_{number}_{digest[:8]}"


def position(messages: Sequence[ChatMessage], texts: Sequence[str]) -> int:
    """How many steps of a script, whose texts are given, this conversation has had.

    If a client keeps our call ids, they say so. Otherwise every answer with calls counts as a step, and an answer of
    text only if it contains the text of the script (some clients add answers that no model gave).
    """
    index = 0
    for group in _answers(messages):
        ids = [match for message in group for call in message.tool_calls or () if (match := _MARK.search(call.id))]
        if ids:
            index = max(index, max(int(match[1]) for match in ids) + 1)
        elif any(message.tool_calls for message in group) or _has_text(group, texts, index):
            index += 1
    return index


def _has_text(group: Sequence[ChatMessageAssistant], texts: Sequence[str], index: int) -> bool:
    if index >= len(texts):
        return False
    expected = " ".join(texts[index].split())
    found = " ".join(" ".join(message.text for message in group).split())
    return bool(expected) and expected in found


def _answers(messages: Iterable[ChatMessage]) -> list[list[ChatMessageAssistant]]:
    groups = ([m for m in group if isinstance(m, ChatMessageAssistant)] for group in grouped(messages))
    return [group for group in groups if group]


def tokens(text: str) -> int:
    """A count without a tokenizer: a quarter of the characters, rounded up."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def size(message: ChatMessage) -> int:
    total = tokens(message.text)
    if isinstance(message, ChatMessageAssistant):
        total += sum(tokens(call.function) + tokens(_json(call.arguments)) for call in message.tool_calls or ())
    if isinstance(message, ChatMessageTool) and message.error is not None and not message.text:
        total += tokens(message.error.message)
    return total


def sizes(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> tuple[int, int]:
    """Tokens of a request: (new, cached), where cached are those that the previous call had sent already."""
    declared = sum(tokens(_json(tool.model_dump(exclude_none=True))) for tool in tools)
    last = next((i for i in range(len(messages) - 1, -1, -1) if isinstance(messages[i], ChatMessageAssistant)), None)
    while last is not None and last > 0 and isinstance(messages[last - 1], ChatMessageAssistant):
        last -= 1
    counts = [size(message) for message in messages]
    if last is None:
        return declared + sum(counts), 0
    return sum(counts[last:]), declared + sum(counts[:last])


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
