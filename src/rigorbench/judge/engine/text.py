"""What programs said, made fit to be shown: decoded, cut, without what acts on a terminal."""

from __future__ import annotations

from ...base.sanitize import block


def words(data: bytes | None, most: int) -> str:
    """At most ``most`` characters of a program's words; several lines stay several lines."""
    if not data:
        return ""
    # No character takes more than four bytes: the rest is not even decoded.
    text = block(data[: 4 * most].decode(errors="replace")).strip()
    return text if len(text) <= most and len(data) <= 4 * most else text[: most - 1] + "…"


def tail(data: bytes | None, most: int = 300) -> str:
    """The end of what a program said, in one line that goes on a sentence: ``: ...``; nothing where it said nothing."""
    text = " ".join(block((data or b"")[-4 * most :].decode(errors="replace")).split())
    return f": {text[-most:]}" if text else ""
