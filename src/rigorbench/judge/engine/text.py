"""Output of programs made fit to be shown: decoded, cut, without characters that act on a terminal."""

from __future__ import annotations

from ...base.sanitize import block


def decoded(data: bytes | None, most: int) -> str:
    """At most `most` characters of a program's output; lines stay lines."""
    if not data:
        return ""
    # No character takes more than four bytes: the rest is not even decoded.
    text = block(data[: 4 * most].decode(errors="replace")).strip()
    return text if len(text) <= most and len(data) <= 4 * most else text[: most - 1] + "…"


def tail(data: bytes | None, most: int = 300) -> str:
    """The end of a program's output as one line that continues a sentence: ``: ...``; empty without output."""
    text = " ".join(block((data or b"")[-4 * most :].decode(errors="replace")).split())
    return f": {text[-most:]}" if text else ""
