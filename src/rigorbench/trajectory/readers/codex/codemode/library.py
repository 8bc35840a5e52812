"""The functions of JavaScript that scripts use to bring calls and results together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .values import Function, Ref, as_json, computed, joined, parsed

Apply = Callable[[Function, list[Any]], Any]

_LONGEST = 1_000_000


def static(owner: str, name: Any, arguments: list[Any]) -> tuple[bool, Any]:
    """(whether it is known, the value) of ``Promise.all(...)`` and the like."""
    first = arguments[0] if arguments else None
    if owner == "Promise" and name in ("all", "allSettled"):
        settled = name == "allSettled" and isinstance(first, list)
        return True, [{"status": "fulfilled", "value": value} for value in first or ()] if settled else first
    if owner == "JSON":
        return True, as_json(first) if name == "stringify" else parsed(first)
    if owner == "Object" and isinstance(first, dict) and name in ("entries", "keys", "values"):
        entries = [[key, value] for key, value in first.items()]
        return True, {"keys": list(first), "values": list(first.values())}.get(name, entries)
    return False, None


def method(held: Any, name: Any, arguments: list[Any], apply: Apply, perhaps: Apply) -> Any:
    """``held.name(...)``. ``perhaps`` calls a function of which it is not decided whether, or on what, it is called."""
    first = arguments[0] if arguments else None
    if isinstance(held, list):
        known, value = _of_list(held, name, arguments, apply)
        if known:
            return value
    if isinstance(held, str):
        known, value = _of_text(held, name, first)
        if known:
            return value
    if isinstance(held, Ref):
        if name == "then" and isinstance(first, Function):
            return apply(first, [held])
        if name in ("catch", "finally", "toString"):
            return held
    for function in arguments:
        if isinstance(function, Function):
            for value in held if isinstance(held, list) else [computed(held)]:
                perhaps(function, [value])
    return computed([held, *(a for a in arguments if not isinstance(a, Function))])


def _of_list(held: list[Any], name: Any, arguments: list[Any], apply: Apply) -> tuple[bool, Any]:
    first = arguments[0] if arguments else None
    if name in ("map", "forEach") and isinstance(first, Function):
        made = [apply(first, [value, index]) for index, value in enumerate(held)]
        return True, made if name == "map" else None
    if name == "join":
        between = "," if first is None else first
        return True, joined([x for value in held for x in (between, value)][1:])
    if name == "push":
        held += arguments
        return True, len(held)
    if name == "concat":
        return True, held + [x for a in arguments for x in (a if isinstance(a, list) else [a])]
    if name == "entries":
        return True, [[index, value] for index, value in enumerate(held)]
    if name == "slice" and all(isinstance(a, int) for a in arguments) and len(arguments) < 3:
        return True, held[first:] if len(arguments) < 2 else held[first : arguments[1]]
    return False, None


def _of_text(held: str, name: Any, first: Any) -> tuple[bool, Any]:
    if name in ("trim", "toString"):
        return True, held.strip() if name == "trim" else held
    if name == "split" and isinstance(first, str):
        return True, held.split(first) if first else list(held)
    if name == "repeat" and isinstance(first, int) and 0 <= len(held) * first < _LONGEST:
        return True, held * first
    return False, None
