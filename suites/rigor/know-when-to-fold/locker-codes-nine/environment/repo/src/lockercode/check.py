"""The check character."""

from __future__ import annotations

from .alphabet import ALPHABET, BASE, value

# Odd factors: each has an inverse modulo 32, so a change of one character always changes the sum.
_FACTORS = (1, 3, 5, 7, 9, 11, 13, 15)


def check_character(text: str) -> str:
    """The character that is put behind a text, so that a single wrong character shows."""
    total = sum(value(character) * _FACTORS[place % len(_FACTORS)] for place, character in enumerate(text))
    return ALPHABET[total % BASE]
