"""A document as a log of its changes: a first state, then values that are set, appended and deleted at paths in it."""

from __future__ import annotations

from typing import Any

from ...logfile import LogFile
from .values import integer, mapping, sequence


def replayed(log: LogFile) -> dict[str, Any]:
    """The document: as it is, or what the changes in the log make of its first state."""
    first = next((value for value in log.head_objects if isinstance(value, dict)), {})
    if "kind" not in first:
        return mapping(log.document())
    state: dict[str, Any] = {}
    for number, change in log.json_objects():
        kind, path, value = change.get("kind"), sequence(change.get("k")), change.get("v")
        if kind == 0 and isinstance(value, dict):
            state = value
        elif kind not in (1, 2, 3) or not _changed(state, path, kind, value, integer(change.get("i"))):
            log.skip(number, f"a change of the unknown kind {str(kind)[:40]}, or of what is not there; skipped")
    return state


def _changed(state: Any, path: list[Any], kind: int, value: Any, keep: int | None) -> bool:
    """Sets, extends (after removing what comes from ``keep`` on) or deletes what is at a path; False: nothing is."""
    for key in path[:-1]:
        state = _at(state, key)
    if not path or not isinstance(state, dict | list):
        return False
    key = path[-1]
    if kind == 2:
        if isinstance(state, dict):
            state.setdefault(key, [])
        target = _at(state, key)
        if not isinstance(target, list):
            return False
        if keep is not None and keep >= 0:
            del target[keep:]
        target += sequence(value)
    elif isinstance(state, dict):
        state[str(key)] = value
    elif isinstance(key, int) and 0 <= key < len(state):
        state[key] = value
    else:
        return False
    return True


def _at(state: Any, key: Any) -> Any:
    if isinstance(state, dict):
        return state.get(key)
    return state[key] if isinstance(state, list) and isinstance(key, int) and 0 <= key < len(state) else None
