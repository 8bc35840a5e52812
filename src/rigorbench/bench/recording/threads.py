"""Finds the conversation (thread) of a model call, and which of its messages are new.

Each request contains its whole conversation. It continues a thread if it contains an answer that the thread got, or if
it repeats the thread's last request; otherwise it opens a new one: a sub-agent, a title, a summary.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
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
        self._answer_of: dict[str, str] = {}  # id of a call -> identity of the answer that made it

    def assign(
        self, request: Sequence[ChatMessage], answer: ChatMessageAssistant | None, tools: int
    ) -> tuple[str, list[Message], int, int]:
        """Add a request to its thread.

        Returns (name of the thread, messages that are new in it, number of messages of its last request that are gone,
        number of messages with which both requests begin).

        The first thread with tools is ``main``, later ones are ``agent-2`` and so on; threads without tools (titles,
        summaries, but also agents that only read and write text) are ``text-1`` and so on.
        """
        groups = grouped(request)
        messages = [as_message(group) for group in groups]
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
        same = zip(groups, prints, thread.request, strict=False)
        repeated = sum(len(group) for group, _, _ in takewhile(lambda pair: pair[1] == pair[2], same))
        thread.request = prints
        if answer is not None:
            message = as_message(answer)
            mark = _print(message)
            thread.seen[mark] += 1
            thread.answers.add(mark)
            self._answer_of.update((call["id"], mark) for call in message.get("tool_calls", ()))
        return thread.name, new, dropped, repeated

    def _identity(self, message: Message) -> str:
        """Some agents complete a call's arguments before they send it back; then its id identifies the answer."""
        mark = _print(message)
        if any(mark in thread.answers for thread in self._threads):
            return mark
        calls = (call["id"] for call in message.get("tool_calls", ()))
        return next((self._answer_of[call] for call in calls if call in self._answer_of), mark)

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


def grouped(messages: Iterable[ChatMessage]) -> list[list[ChatMessage]]:
    """Group assistant messages that follow each other (some protocols split them); any other message is alone."""
    groups: list[list[ChatMessage]] = []
    for message in messages:
        if groups and message.role == "assistant" and groups[-1][-1].role == "assistant":
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups


def _print(message: Message) -> str:
    """The identity of a message. Of one with calls, it is the calls in any order, since agents change the text beside
    them; ids do not count, since not every protocol has them."""
    calls = message.get("tool_calls")
    if calls:
        essence: Any = sorted(json.dumps([c["name"], c["arguments"]], sort_keys=True, default=str) for c in calls)
    else:
        essence = [message["content"].strip(), message.get("tool_call_id"), message.get("error")]
    text = json.dumps([message["role"], essence], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def as_message(source: ChatMessage | Sequence[ChatMessage]) -> Message:
    """A message in the form of the journal; several assistant messages become one."""
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
