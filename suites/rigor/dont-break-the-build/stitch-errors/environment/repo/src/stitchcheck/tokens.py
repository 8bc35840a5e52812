"""Words of a row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import codes
from .codes import Problem
from .stitches import split

_WORD = re.compile(r"\s*([()]|[^\s()]+)")


@dataclass(frozen=True)
class Token:
    """``kind``: a stitch's name, a parenthesis, or x; ``count`` is what stands after it."""

    kind: str
    count: int
    column: int


def tokenize(text: str) -> tuple[list[Token], None] | tuple[None, Problem]:
    """The words of a row, and None; or None and a problem, whose line is 0."""
    tokens = []
    place = 0
    while match := _WORD.match(text, place):
        word, column, place = match[1], match.start(1) + 1, match.end()
        if word in "()":
            tokens.append(Token(word, 1, column))
            continue
        if re.fullmatch(r"x\d+", word):
            kind, count = "x", int(word[1:])
        else:
            found = split(word)
            if found is None:
                return None, (codes.SYNTAX, 0, column, f"no stitch {word!r}")
            kind, count = found
        if count == 0:
            return None, (codes.SYNTAX, 0, column, f"nothing to do in {word!r}")
        tokens.append(Token(kind, count, column))
    return tokens, None
