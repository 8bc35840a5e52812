"""Puts a given text into every text field of a report, so that views can be tried on hostile logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</details></pre></style></script><h1>",
    "javascript:alert(1)",
    "{{7*7}}{% raw %}${7*7}",
    "[red]markup[/red] [link=http://x]y[/link]",
    "\x1b]0;title\x07\x1b[2Jwipe\x9b1m",
    "\u202eevil\u2066\u200b",
    "lone \ud800 surrogate \x00 null",
    "<!-- --><![CDATA[ ]]>",
    "# heading **bold** [a](javascript:x)",
)

# Words that mean something to the code: a log cannot choose them.
FIXED = frozenset(
    {
        "kind", "type", "role", "verdict", "operation", "outcome", "resolved", "origin", "via", "status", "method",
        "schema", "update", "mode", "severity", "size", "end", "started_at", "ended_at", "standing",
    }
)  # fmt: skip


def replace_text(value: Any, make: Callable[[], str]) -> Any:
    """A copy of ``value`` with each text in it replaced; the same old text always gets the same new text."""
    seen: dict[str, str] = {}

    def text(old: str) -> str:
        if old not in seen:
            seen[old] = make()
        return seen[old]

    def walk(item: Any, name: str = "") -> Any:
        if isinstance(item, str):
            return item if name in FIXED or not item else text(item)
        if isinstance(item, msgspec.Struct):
            changed = {f: walk(getattr(item, f), f) for f in item.__struct_fields__ if f != "pillars"}
            if hasattr(item, "pillars"):
                changed["pillars"] = {n: walk(p) for n, p in item.pillars.items()}
            return type(item)(**changed)
        if isinstance(item, dict):
            # Names of sub-metrics and pillars are ours; lanes are named by the log.
            return {
                (text(k) if name == "lanes" else k): walk(v, "" if name != "input" else name) for k, v in item.items()
            }
        if isinstance(item, list | tuple):
            return type(item)(walk(i, name) for i in item)
        return item

    return walk(value)
