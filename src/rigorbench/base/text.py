"""Wording that messages share."""

from __future__ import annotations


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun: "1 test", "1,200 tests", "2 searches". ``nouns``: the plural, where no rule gives it."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun if number == 1 else nouns or noun + ending}"
