"""Which conversation a model call belongs to, and which of its messages are new.

A request carries the whole conversation each time. It continues a thread when it holds an answer that the thread got
(or is the thread's last request again); else it opens one: a sub-agent, a title, a summary.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ContentReasoning,
    ContentText,
)

Message = dict[str, Any]


class _Thread:
    def __init__(self, name: str, tools: bool) -> None:
        self.name = name
        self.tools = tools
        self.request: list[str] = []
        self.seen: Counter[str] = Counter()
        self.answers: set[str] = set()


class Threads:
    def __init__(self) -> None:
        self._threads: list[_Thread] = []
        self._given: dict[str, str] = {}  # id of a call -> identity of the answer that made it

    def place(
        self, request: Sequence[ChatMessage], answer: ChatMessageAssistant | None, tools: int
    ) -> tuple[str, list[Message], int]:
        """Name of the thread, the messages that it had not shown before, and how many of its last request are gone.

        The first thread that is offered tools is ``main``, later ones are ``agent-2`` and so on; those without tools
        (titles, summaries; but also agents that only read and write text) are ``text-1`` and so on.
        """
        messages = [as_message(group) for group in _grouped(request)]
        prints = [self._identity(message) for message in messages]
        thread = self._find(prints, tools > 0)
        left = Counter(thread.seen)
        new = []
        for message, mark in zip(messages, prints, strict=True):
            if left[mark] > 0:
                left[mark] -= 1
            else:
                new.append(message)
                thread.seen[mark] += 1
        dropped = sum((Counter(thread.request) - Counter(prints)).values())
        thread.request = prints
        if answer is not None:
            given = as_message(answer)
            mark = _print(given)
            thread.seen[mark] += 1
            thread.answers.add(mark)
            self._given.update((call["id"], mark) for call in given.get("tool_calls", ()))
        return thread.name, new, dropped

    def _identity(self, message: Message) -> str:
        """Some agents complete a call's arguments before they send it back; then its id tells which answer it was."""
        mark = _print(message)
        if any(mark in thread.answers for thread in self._threads):
            return mark
        return next((self._given[c["id"]] for c in message.get("tool_calls", ()) if c["id"] in self._given), mark)

    def _find(self, prints: list[str], tools: bool) -> _Thread:
        present = set(prints)
        best, most = None, 0
        for thread in self._threads:
            common = len(thread.answers & present)
            if common == 0 and thread.request and prints[: len(thread.request)] == thread.request:
                common = 1
            if common >= max(most, 1):
                best, most = thread, common
        if best is None:
            number = 1 + sum(thread.tools == tools for thread in self._threads)
            name = ("main" if number == 1 else f"agent-{number}") if tools else f"text-{number}"
            best = _Thread(name, tools)
            self._threads.append(best)
        return best


def _grouped(messages: Iterable[ChatMessage]) -> list[list[ChatMessage]]:
    """Messages one by one; assistant messages without anything between them are one (some protocols split them)."""
    groups: list[list[ChatMessage]] = []
    for message in messages:
        if groups and message.role == "assistant" and groups[-1][-1].role == "assistant":
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups


def _print(message: Message) -> str:
    """A message's identity. That of one with calls are the calls, in any order: agents send the text beside them back
    in other forms. Ids do not count, since not every protocol carries them."""
    calls = message.get("tool_calls")
    if calls:
        essence: Any = sorted(json.dumps([c["name"], c["arguments"]], sort_keys=True, default=str) for c in calls)
    else:
        essence = [message["content"].strip(), message.get("tool_call_id"), message.get("error")]
    text = json.dumps([message["role"], essence], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def as_message(source: ChatMessage | Sequence[ChatMessage]) -> Message:
    """A message as the journal keeps it; several assistant messages become one."""
    group = list(source) if isinstance(source, Sequence) else [source]
    message: Message = {"role": group[0].role, "content": "\n".join(filter(None, (_text(m) for m in group)))}
    reasoning = "\n".join(filter(None, (_reasoning(m) for m in group)))
    if reasoning:
        message["reasoning"] = reasoning
    calls = [c for m in group if isinstance(m, ChatMessageAssistant) for c in m.tool_calls or ()]
    if calls:
        message["tool_calls"] = [{"id": c.id, "name": c.function, "arguments": c.arguments} for c in calls]
    first = group[0]
    if isinstance(first, ChatMessageTool):
        if first.tool_call_id is not None:
            message["tool_call_id"] = first.tool_call_id
        if first.error is not None:
            message["error"] = first.error.message
    return message


def _text(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    parts = []
    for part in message.content:
        if isinstance(part, ContentText):
            parts.append(part.text)
        elif not isinstance(part, ContentReasoning):
            parts.append(f"[{part.type}]")
    return "\n".join(parts)


def _reasoning(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return ""
    return "\n".join(p.summary or p.reasoning for p in message.content if isinstance(p, ContentReasoning))
