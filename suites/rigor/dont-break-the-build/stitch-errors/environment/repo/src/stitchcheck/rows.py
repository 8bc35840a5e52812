"""Rows: groups worked out into single steps."""

from __future__ import annotations

from . import codes
from .codes import Problem
from .tokens import Token, tokenize

# A stitch and how many times it is made in a row.
Step = tuple[str, int]
LONGEST = 500


def parse_row(text: str) -> tuple[list[Step], None] | tuple[None, Problem]:
    """The steps of a row, and None; or None and a problem, whose line is 0. A row without steps is none at all."""
    tokens, problem = tokenize(text)
    if problem is not None:
        return None, problem
    if not tokens:
        return None, (codes.SYNTAX, 0, 0, "an empty row")
    steps, place, problem = _group(tokens, 0, None)
    if problem is not None:
        return None, problem
    return steps, None


def _group(
    tokens: list[Token], place: int, opened: Token | None
) -> tuple[list[Step], int, None] | tuple[None, int, Problem]:
    """The steps up to the parenthesis that ends the group, and the place after it."""
    steps: list[Step] = []
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind == "(":
            inner, place, problem = _group(tokens, place, token)
            if problem is not None:
                return None, place, problem
            steps += inner
        elif token.kind == ")":
            if opened is None:
                return None, place, (codes.SYNTAX, 0, token.column, "nothing was opened here")
            if not steps:
                return None, place, (codes.SYNTAX, 0, opened.column, "an empty group")
            times = 1
            if place < len(tokens) and tokens[place].kind == "x":
                times = tokens[place].count
                place += 1
            if len(steps) * times > LONGEST:
                return None, place, (codes.LIMIT, 0, opened.column, f"more than {LONGEST} steps")
            return steps * times, place, None
        elif token.kind == "x":
            return None, place, (codes.SYNTAX, 0, token.column, "only a group can be worked again")
        else:
            steps.append((token.kind, token.count))
        if len(steps) > LONGEST:
            return None, place, (codes.LIMIT, 0, token.column, f"more than {LONGEST} steps")
    if opened is not None:
        return None, place, (codes.SYNTAX, 0, opened.column, "this is never closed")
    return steps, place, None
