"""Reads what is left of a JSON document that is damaged in the middle, if it is written one value per line.

The indentation shows where each member of an object and each item of a list begins, whatever is between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson

_DEEPEST = 8
_FIRST = re.compile(rb"\s*[\[{]\r?\n( +|\t+)\S")
_MEMBER = rb'^%s"((?:[^"\\\n]|\\.)*)": ?'
_ITEM = rb"^%s(?=[^\s\]}])"
MISSING = object()


def salvage(content: bytes, lost: Callable[[int], None]) -> Any:
    """The value of ``content`` without the members and items that cannot be read; None if it has another layout.

    ``lost`` is called with the line (from 1) of each of them.
    """
    value = _value(content, 1, lost, 0)
    return None if value is MISSING else value


def _value(data: bytes, line: int, lost: Callable[[int], None], depth: int) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    first = _FIRST.match(data)
    if first is None or depth == _DEEPEST:
        lost(line)
        return MISSING
    kind = data.lstrip()[:1]
    starts = list(re.compile((_MEMBER if kind == b"{" else _ITEM) % first[1], re.MULTILINE).finditer(data))
    if not starts:
        lost(line)
        return MISSING
    ends = [m.start() for m in starts[1:]]
    bracket = data.rfind(b"}" if kind == b"{" else b"]", starts[-1].end())
    ends.append(bracket if bracket > 0 else len(data))
    members: dict[str, Any] = {}
    items: list[Any] = []
    counted, at = starts[0].start(), line + data.count(b"\n", 0, starts[0].start())
    for start, end in zip(starts, ends, strict=True):
        at, counted = at + data.count(b"\n", counted, start.start()), start.start()
        value = _value(data[start.end() : end].rstrip().rstrip(b","), at, lost, depth + 1)
        if value is MISSING:
            continue
        if kind == b"{":
            members[start[1].decode("utf-8", "replace")] = value
        else:
            items.append(value)
    return members if kind == b"{" else items
