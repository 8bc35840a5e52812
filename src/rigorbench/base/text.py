"""Wording that messages share."""

from __future__ import annotations


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun: "1 test", "1,200 tests". ``nouns``: the plural, where it is not ``noun`` + "s"."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
