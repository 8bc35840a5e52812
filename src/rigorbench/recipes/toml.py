"""Writes TOML: the little that generated task files and policies need."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def value(item: Any) -> str:
    """A value in one line: a text, a number, a list of values or an inline table."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return text(item)
    if isinstance(item, Mapping):
        return f"{{ {', '.join(f'{key} = {value(v)}' for key, v in item.items())} }}"
    if isinstance(item, Sequence):
        return f"[{', '.join(map(value, item))}]"
    return repr(item)


def table(items: Mapping[str, Any], name: str = "", *, array: bool = False) -> str:
    """A table with its heading; entries that are None are left out."""
    heading = [f"[[{name}]]" if array else f"[{name}]"] if name else []
    return "\n".join([*heading, *(f"{key} = {value(v)}" for key, v in items.items() if v is not None)]) + "\n"
