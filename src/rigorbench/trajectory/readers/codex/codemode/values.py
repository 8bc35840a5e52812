"""The values of a script in which results of tool calls stand for themselves: what they are only shows when it runs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import orjson
from msgspec import Struct, field


class Ref(Struct, frozen=True):
    """The result of the script's ``call``-th tool call, or a part of it.

    ``field`` is "output", "exit_code", "session_id"; "" is the whole result, "?" what was computed from it.
    """

    call: int
    field: str = ""


class Mix(Struct, frozen=True):
    """A text of literal pieces and results."""

    parts: tuple[Any, ...]


class Tool(Struct, frozen=True):
    """A tool as a value; "" is the object that contains all of them."""

    name: str = ""


class Function(Struct, frozen=True, eq=False):
    """A function of the script: its syntax node and the variables that it sees."""

    node: Any
    scope: Any


class Scope:
    """The variables of a block or function, and those around it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.own: dict[str, Any] = {}

    def owner(self, name: str) -> Scope | None:
        """The scope in which a variable is declared."""
        if name in self.own:
            return self
        return self.outer.owner(name) if self.outer is not None else None


class InnerCall(Struct):
    """A tool call of the script. ``given`` is UNKNOWN where its arguments are not decided."""

    tool: str
    given: Any


class Printed(Struct):
    """A value that the script shows. ``maybe``: only under a condition that is not decided."""

    value: Any
    maybe: bool


class Script(Struct):
    """What a script does: its calls and what it shows, both in order; ``undecided`` calls may be made besides."""

    calls: list[InnerCall] = field(default_factory=list)
    prints: list[Printed] = field(default_factory=list)
    undecided: int = 0


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""A value that the text of the script does not decide."""

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "===": operator.eq, "==": operator.eq, "!==": operator.ne, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "%": operator.mod,
}  # fmt: skip


def joined(values: list[Any]) -> Any:
    """The text that these values make one after the other."""
    flat: list[Any] = []
    for value in values:
        for piece in value.parts if isinstance(value, Mix) else (value,):
            made = piece if isinstance(piece, Ref) else printed(piece)
            if isinstance(made, str) and flat and isinstance(flat[-1], str):
                flat[-1] += made
            else:
                flat.append(made)
    if all(isinstance(piece, str) for piece in flat):
        return "".join(flat)
    return Mix(tuple(flat))


def printed(value: Any) -> Any:
    """How JavaScript prints a value in a text; UNKNOWN where that is not plain."""
    if isinstance(value, str):
        return value
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else str(value)
    return UNKNOWN


def plus(left: Any, right: Any) -> Any:
    texts = isinstance(left, str | Mix) or isinstance(right, str | Mix)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left + right
    if texts or (isinstance(left, Ref) and isinstance(right, Ref)):
        return joined([left, right])
    return computed([left, right])


def is_decided(value: Any) -> bool:
    """Whether nothing in the value depends on a result or on anything unknown."""
    if isinstance(value, list):
        return all(map(is_decided, value))
    if isinstance(value, dict):
        return all(map(is_decided, value.values()))
    return value is None or isinstance(value, str | bool | int | float)


def refs(value: Any) -> set[int]:
    """The calls whose results a value contains."""
    if isinstance(value, Ref):
        return {value.call}
    held: Any = ()
    if isinstance(value, Mix):
        held = value.parts
    elif isinstance(value, list):
        held = value
    elif isinstance(value, dict):
        held = value.values()
    found: set[int] = set()
    for inner in held:
        found |= refs(inner)
    return found


def computed(value: Any) -> Any:
    """What is computed from a value in a way that is not followed; of one call's result, it is known whose."""
    calls = refs(value)
    return Ref(calls.pop(), "?") if len(calls) == 1 else UNKNOWN


def agreed(values: list[Any]) -> Any:
    """One of several values of which it is not decided which: all the same, or what is known of all of them."""
    return values[0] if values and all(value == values[0] for value in values) else computed(values)


def member(value: Any, name: Any) -> Any:
    """``value.name`` or ``value[name]``."""
    if isinstance(value, Tool):
        return Tool(name) if isinstance(name, str) and not value.name else UNKNOWN
    if isinstance(value, Ref):
        # A settled promise has the result as its value.
        plain = value.field == "" and isinstance(name, str)
        return (value if name == "value" else Ref(value.call, str(name))) if plain else Ref(value.call, "?")
    if isinstance(value, dict):
        return value.get(name) if "?" not in value or name in value else UNKNOWN
    if isinstance(value, list | str):
        if name == "length":
            return len(value)
        if isinstance(name, int) and not isinstance(name, bool):
            return value[name] if 0 <= name < len(value) else None
    return UNKNOWN


def as_json(value: Any) -> Any:
    """The value as ``JSON.stringify`` writes it. Lists and objects with results in them stay what they are."""
    if isinstance(value, list | dict | Ref) and refs(value):
        return value
    return orjson.dumps(value).decode() if is_decided(value) else UNKNOWN


def parsed(value: Any) -> Any:
    """``JSON.parse``."""
    if isinstance(value, str):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return UNKNOWN
    return computed(value)


def truth(value: Any) -> bool | None:
    """Whether JavaScript takes the value as true; None: not decided."""
    if isinstance(value, list | dict | Tool | Function):
        return True
    return bool(value) if is_decided(value) else None
