"""Wording that messages share."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun: "1 test", "1,200 tests", "2 searches". ``nouns``: the plural, where no rule gives it."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun if number == 1 else nouns or noun + ending}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """ " (did you mean score?)" for a mistyped name, or "": to be put behind it in a message."""
    from difflib import get_close_matches

    lower = {k.lower(): k for k in known}
    wanted = name.lower()
    # A beginning counts as well: "claude" is far from "claude-code", and means nothing else.
    begun = [k for k in lower if wanted and k.startswith(wanted)]
    near = begun if len(begun) == 1 else get_close_matches(wanted, lower, n=1)
    return f" (did you mean {lower[near[0]]}?)" if near else ""
