"""Parts of a recipe's policies: turns with their calls, and the file that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from . import toml
from .edits import Calls


def turn(text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"text": text, "call": list(calls)}


def shell(command: str) -> dict[str, Any]:
    return {"tool": "shell", "command": command}


def plan(steps: Sequence[str], done: int) -> dict[str, Any]:
    def status(number: int) -> str:
        return "completed" if number < done else "in_progress" if number == done else "pending"

    return {"tool": "plan", "items": [{"text": t, "status": status(n)} for n, t in enumerate(steps)]}


def flat(found: Iterable[tuple[str, Calls]]) -> Calls:
    return [call for _, calls in found for call in calls]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def policy(description: str, turns: Sequence[dict[str, Any]]) -> str:
    parts = [toml.table({"description": description})]
    for one in turns:
        parts.append(toml.table({"text": one["text"] or None}, "turn", array=True))
        parts += [toml.table(call, "turn.call", array=True) for call in one["call"]]
    return "\n".join(parts)
