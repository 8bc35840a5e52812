"""Text of a log made safe to show: what could act on a terminal or reorder a line is replaced by a visible escape."""

from __future__ import annotations

import re

# Control characters, line and paragraph separators, bidirectional controls, zero-width and other invisible characters
# (soft hyphen, fillers, tags, stray variation selectors), interlinear and musical format controls, lone surrogates and
# non-characters. One variation selector 15 or 16 stays: "⚠️" is common and harmless; a chain of them hides data.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
_CHAINED_SELECTOR = "|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f{_INVISIBLE}]{_CHAINED_SELECTOR}")
_UNSAFE_IN_BLOCK = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}]{_CHAINED_SELECTOR}")
# Colours only (SGR): outputs are full of them, they carry no text, and a page shows the words better without.
_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,40}m")
_NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}

ELLIPSIS = "…"


def _plain(text: str) -> bool:
    # Some invisible characters (variation selectors, fillers) count as printable, so only ASCII passes quickly.
    return text.isascii() and text.isprintable()


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    name = _NAMES.get(character)
    if name is not None:
        return name
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def terminal(text: str, limit: int | None = None) -> str:
    """``text`` on one line, safe to print raw: every control or invisible character becomes a visible escape.

    Newlines and tabs are escaped too ("\\\\n"). ``limit``: the most characters to return; a longer text is cut and ends
    in an ellipsis. The input is cut before it is escaped, so that a huge text costs no more than a short one.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit + 1]
    if not _plain(text):
        text = _UNSAFE.sub(_escape, text)
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + ELLIPSIS
    return text


def one_line(text: str, limit: int | None = None) -> str:
    """Like :func:`terminal`, with each run of white space as one space: for quotes and titles."""
    if limit is not None:
        text = text[: 4 * limit + 200]
    return terminal(" ".join(text.split()), limit)


def block(text: str) -> str:
    """``text`` for a page, lines and tabs kept: colour codes are dropped, all else invisible becomes a visible escape.

    A carriage return becomes a line break: what a progress bar overwrote on a terminal stays readable.
    """
    if _plain(text.replace("\n", " ").replace("\t", " ")):
        return text
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSAFE_IN_BLOCK.sub(_escape, text)
