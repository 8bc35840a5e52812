"""The exact file changes that Codex records for an applied patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model import FileChange, Operation

_OPERATIONS: dict[str, Operation] = {"add": "create", "update": "modify", "delete": "delete"}


def recorded_changes(changes: Any) -> list[FileChange]:
    """Changes from ``{path: {type, ...}}``, ``{path: {type: {...}}}`` (2025) or ``[{path, kind}]``; else []."""
    found: list[FileChange] = []
    if isinstance(changes, Mapping):
        for path, change in changes.items():
            if isinstance(path, str) and isinstance(change, Mapping):
                found.append(_change(path, change))
    elif isinstance(changes, list):
        for change in changes:
            if isinstance(change, Mapping) and isinstance(change.get("path"), str):
                found.append(_listed(change["path"], change))
    return found


def _change(path: str, change: Mapping[str, Any]) -> FileChange:
    kind = change.get("type")
    if not isinstance(kind, str):
        kind = next((k for k in ("add", "update", "delete") if k in change), "update")
        inner = change.get(kind)
        change = inner if isinstance(inner, Mapping) else {}
    return _made(path, kind, change)


def _listed(path: str, change: Mapping[str, Any]) -> FileChange:
    kind = change.get("kind")
    if isinstance(kind, Mapping):
        return _made(path, str(kind.get("type")), {**change, **kind})
    return _made(path, str(kind), change)


def _made(path: str, kind: str, change: Mapping[str, Any]) -> FileChange:
    made = FileChange(path, _OPERATIONS.get(kind, "modify"))
    content, diff, moved = change.get("content"), change.get("unified_diff"), change.get("move_path")
    if made.operation == "create":
        made.after = content if isinstance(content, str) else None
    elif made.operation == "delete":
        made.before = content if isinstance(content, str) else None
    elif isinstance(diff, str):
        made.hunks = diff_hunks(diff)
    if isinstance(moved, str) and moved and moved != path:
        made.operation, made.new_path = "rename", moved
    return made


def diff_hunks(diff: str) -> list[tuple[str, str]]:
    """(old, new) text of every hunk, context included, of a unified diff of one file (with or without file header)."""
    hunks: list[tuple[str, str]] = []
    old: list[str] = []
    new: list[str] = []
    inside = False
    lines = diff.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for line in lines:
        mark = line[:1]
        if mark == "@" and line.startswith("@@"):
            if old or new:
                hunks.append(("\n".join(old), "\n".join(new)))
                old, new = [], []
            inside = True
        elif not inside or mark == "\\":
            continue
        elif mark == "+":
            new.append(line[1:])
        elif mark == "-":
            old.append(line[1:])
        else:
            old.append(line[1:])
            new.append(line[1:])
    if old or new:
        hunks.append(("\n".join(old), "\n".join(new)))
    return hunks
