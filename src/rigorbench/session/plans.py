"""Items of plans and todo lists, in the shapes that tools use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .model import PlanItem, PlanStatus

_STATUS: dict[str, PlanStatus] = {
    "completed": "completed",
    "done": "completed",
    "complete": "completed",
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "doing": "in_progress",
    "active": "in_progress",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "deleted": "cancelled",
}
_TEXTS = tuple("content step title subject description text task task_description name activeForm".split())
_WORD = re.compile(r"\[([A-Za-z_-]{2,})\]\s*")


def plan_items(values: Any) -> list[PlanItem]:
    """Todo items from any of the list shapes in use (strings, or objects with text and status)."""
    items: list[PlanItem] = []
    for value in values if isinstance(values, list) else ():
        if isinstance(value, str):
            if value.strip():
                items.append(PlanItem(value.strip()))
        elif isinstance(value, Mapping):
            text = next((value[name] for name in _TEXTS if isinstance(value.get(name), str) and value[name]), None)
            if text:
                status = value.get("status") or value.get("state") or value.get("completed")
                items.append(PlanItem(text.strip(), plan_status(status), item_key(value)))
    return items


def plan_status(value: Any) -> PlanStatus:
    if value is True:
        return "completed"
    return _STATUS.get(str(value).lower().removeprefix("todo_status_"), "pending")


def item_key(value: Mapping[str, Any]) -> str | None:
    for field in ("id", "taskId", "task_id", "key"):
        if isinstance(value.get(field), str | int):
            return str(value[field])
    return None


def checklist(text: str) -> list[PlanItem]:
    """Items of a markdown check list ("- [x] done", "1. first", "* third")."""
    items: list[PlanItem] = []
    for line in text.splitlines():
        stripped = line.strip()
        mark = stripped.lstrip("-*+0123456789.) ")
        if mark == stripped or not mark:
            continue
        status: PlanStatus = "pending"
        if mark[:3].lower() in ("[ ]", "[x]", "[~]", "[>]", "[/]"):
            status = {"x": "completed", " ": "pending"}.get(mark[1].lower(), "in_progress")  # type: ignore[assignment]
            mark = mark[3:].strip()
        elif (word := _WORD.match(mark)) is not None and word[1].lower() in (*_STATUS, "pending"):
            status, mark = plan_status(word[1]), mark[word.end() :].strip()
        if mark:
            items.append(PlanItem(mark, status))
    return items
