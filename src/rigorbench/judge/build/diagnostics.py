"""Messages of compilers made fit to be shown: shortened paths, visible control characters, limited length."""

from __future__ import annotations

import itertools
import re

from ...base.sanitize import block

_MOST = 16_000
_LINE = 600
_PLACES = re.compile(r"(?<![\w./-])/(?:w/src|src|driver|include|w)/")
_PREFIX = {"/w/src/": "", "/src/": "", "/driver/": "", "/include/": "include/", "/w/": ""}


def clean(data: bytes) -> str:
    """Text of at most about 16,000 characters: the beginning, which is most useful, and the end."""
    if len(data) > 12 * _MOST:
        data = data[: 8 * _MOST] + b"\n" + data[-4 * _MOST :]
    text = block(data.decode("utf-8", "replace"))
    text = _PLACES.sub(lambda match: _PREFIX[match[0]], text)
    lines = [line if len(line) <= _LINE else f"{line[:_LINE]} […]" for line in text.splitlines()]
    # Repeated lines are given once and counted.
    once: list[str] = []
    for line, same in itertools.groupby(lines):
        count = sum(1 for _ in same)
        once += [line, f"[… {count - 1:,} more of this line …]"] if count > 1 and line else [line]
    text = "\n".join(once).strip("\n")
    if len(text) <= _MOST:
        return text
    head, tail = _MOST * 3 // 4, _MOST // 4
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"


def first_error(log: str) -> str:
    lines = [line for line in log.splitlines() if "error" in line.lower()] or log.splitlines() or ["no message"]
    return lines[0][:300]
