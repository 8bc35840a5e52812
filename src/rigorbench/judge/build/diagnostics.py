"""What compilers say, made fit to be shown: paths of the sandbox shortened, control characters visible, cut."""

from __future__ import annotations

import re

from ...report.sanitize import block

_MOST = 16_000
_LINE = 600
_PLACES = re.compile(r"(?<![\w./-])/(?:w/src|src|driver|include|w)/")
_PREFIX = {"/w/src/": "", "/src/": "", "/driver/": "", "/include/": "include/", "/w/": ""}


def clean(data: bytes) -> str:
    """Text of at most some 16,000 characters: the beginning, which tells most, and the end."""
    text = block(data.decode("utf-8", "replace"))
    text = _PLACES.sub(lambda match: _PREFIX[match[0]], text)
    lines = [line if len(line) <= _LINE else f"{line[:_LINE]} […]" for line in text.splitlines()]
    text = "\n".join(lines).strip("\n")
    if len(text) <= _MOST:
        return text
    head, tail = _MOST * 3 // 4, _MOST // 4
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"
