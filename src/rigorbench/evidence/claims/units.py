"""A message in sentences, list items and lines of code, each with what it is listed under."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ..patterns import lazy
from .abstention import SENTENCE


class Unit(Struct, frozen=True):
    """One sentence, list item or line of code. ``lead``: the heading or line with a colon that it is listed under."""

    text: str
    lead: str = ""
    code: bool = False


_FENCE = lazy(r"^\s*(?:```|~~~)")
_ITEM = lazy(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s*)?")
_HEADING = lazy(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$|>|\|[\s|:-]*$)")


def units(text: str) -> Iterator[Unit]:
    """The sentences, list items and lines of code of a message, each with what it is listed under."""
    lead = ""
    fenced = listed = False
    for line in text.replace("’", "'").splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced:
            yield Unit(line.strip().removeprefix("$ "), lead, code=True)
        elif not line.strip():
            continue
        elif line.lstrip().startswith("|") and not _HEADING.match(line):
            yield Unit(line.strip(), lead)  # a row of a table
        elif _HEADING.match(line):
            lead, listed = line.strip(" #*_|>"), False
        else:
            item = _ITEM.match(line)
            if item is not None and "[ ]" in item[0]:
                continue  # still to do
            body = line[item.end() :] if item else line.strip()
            if item is None and listed and not line.startswith(" "):
                lead, listed = "", False  # a paragraph after the list
            listed = listed or item is not None
            for sentence in SENTENCE.split(body):
                bare = sentence.strip(" *_")
                if bare.endswith((":", "：")):
                    lead, listed = bare, False
                elif bare:
                    yield Unit(bare, lead)
