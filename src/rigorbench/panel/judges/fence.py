"""Puts text of a session into a prompt as data: it cannot close its fence, hide a character, or fill the page.

A fence cannot keep a model from obeying what it reads.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import msgspec

from ...base.sanitize import block

# Characters of one line, and of all untrusted text of one case (about 8,000 tokens).
LINE = 600
TOTAL = 24_000
MARK = "| "
_BLANK = re.compile(r"(?:[ \t]*\n){4,}")


def token(texts: Sequence[str]) -> str:
    """The name of a fence, from the SHA-256 of its texts, so that the same case has the same prompt.

    The author of a text does not know its hash while writing; if a text contains the name anyway, it is changed.
    """
    seed = hashlib.sha256(msgspec.json.encode([_storable(text) for text in texts]))
    name = seed.hexdigest()[:12]
    while any(name in text for text in texts):
        seed.update(b"+")
        name = seed.hexdigest()[:12]
    return name


def visible(text: str) -> str:
    """``text`` with every control, invisible, bidirectional or tag character as an escape; lines and tabs stay.

    Long runs of empty lines, which push a reader away from the question, become one line that says so.
    """
    text = block(text.strip("\r\n"))
    return _BLANK.sub(lambda run: f"\n[{run[0].count(chr(10))} empty lines]\n", text)


def fenced(name: str, label: str, text: str, limit: int) -> str:
    """``text`` between two fences, with a mark before each of its lines.

    Of a text longer than ``limit`` only head and tail are shown. A line without the mark says how much is left out; no
    line of the text can imitate it.
    """
    parts = [f'<data {name} "{label}">']
    shown = visible(text)
    if len(shown) <= limit:
        parts += _lines(shown)
    else:
        head, tail = shown[: limit * 2 // 3], shown[len(shown) - (limit - limit * 2 // 3) :]
        parts += [*_lines(head), f"[... {len(shown) - limit} characters left out]", *_lines(tail)]
    return "\n".join([*parts, f"</data {name}>"])


def shares(lengths: Sequence[int], total: int) -> list[int]:
    """How much of each text fits into ``total``: short ones whole, the rest divided equally among the long ones."""
    limits = [0] * len(lengths)
    left, waiting = total, sorted(range(len(lengths)), key=lambda n: lengths[n])
    for position, n in enumerate(waiting):
        limits[n] = min(lengths[n], left // (len(waiting) - position))
        left -= limits[n]
    return limits


def _lines(text: str) -> list[str]:
    return [shown for line in text.split("\n") for shown in _line(line)]


def _line(line: str) -> list[str]:
    if len(line) <= LINE:
        return [MARK + line]
    head, tail = line[: LINE * 2 // 3], line[len(line) - (LINE - LINE * 2 // 3) :]
    return [MARK + head, f"[... {len(line) - LINE} characters left out]", MARK + tail]


def _storable(text: str) -> str:
    # Lone surrogates, which a damaged log may hold, cannot be encoded.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
