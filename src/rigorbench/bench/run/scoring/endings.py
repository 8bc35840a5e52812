"""Names the end of a run whose agent stopped although its last answer was no closing message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ....base import journal
from ....session.logfile import LogError
from ....session.model import Trajectory
from ....session.registry import discover, read_log

_LONGEST = 200_000


def name_of(calls: Sequence[journal.Model], session: Path) -> str | None:
    """The name of the end; None: nothing is wrong with it."""
    tools = [tool["name"] for call in calls for tool in call.declared or ()]
    offered = [call for call in calls if call.tools]
    last = (offered or calls)[-1] if calls else None
    if last is not None and last.output is not None and not last.output.get("tool_calls"):
        text = str(last.output.get("content") or "").strip()
        if last.stop == "max_tokens":
            return "answer cut: it reached --max-tokens, or the server's limit"
        if not text:
            return "empty answer"
        if _is_call(text[:_LONGEST], set(tools)):
            return "call written as text: the server returned no tool call"
    own = list(_own(session))
    for trajectory in own:
        status = trajectory.extra.get("exit_status")
        if trajectory.end == "error" and status:
            return f"the agent's own log ends with {status}"
    # Some programs end by a call; their own log says that they had come to their end.
    asked = last is not None and last.output is not None and bool(last.output.get("tool_calls"))
    if asked and not any(trajectory.end == "completed" for trajectory in own):
        return "the program ended while its model asked for calls"
    return None


def _own(session: Path) -> Iterator[Trajectory]:
    """What can be read of the agent's own log."""
    for log in discover([str(session)]) if session.is_dir() else ():
        with suppress(LogError):
            yield from () if isinstance(log, LogError) else read_log(log)


def _is_call(text: str, tools: set[str]) -> bool:
    """Whether a text has an object that names an offered tool beside its arguments, or an element for the tool."""
    if any(_names(value, tools) for value in _objects(text)):
        return True
    names = "|".join(map(re.escape, sorted(tools)))
    element = re.search(rf"<\w+(?:=| name=)[\"']?(?:{names})[\"']?\s*>", text) if names else None
    return element is not None and re.search(r"</\w+>", text[element.end() :]) is not None


def _names(value: dict[str, Any], tools: set[str]) -> bool:
    todo: list[Any] = [value]
    while todo:
        one = todo.pop()
        parts = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        texts = [part.strip() for part in parts if isinstance(part, str)]
        # Arguments are an object, or the text of one.
        given = any(isinstance(part, dict) for part in parts) or any(text.startswith("{") for text in texts)
        if isinstance(one, dict) and given and not tools.isdisjoint(texts):
            return True
        todo += parts
    return False


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decode, at = json.JSONDecoder(strict=False).raw_decode, text.find("{")
    while at >= 0:
        try:
            value, at = decode(text, at)
            if isinstance(value, dict):
                yield value
        except (ValueError, RecursionError):
            at += 1
        at = text.find("{", at)
