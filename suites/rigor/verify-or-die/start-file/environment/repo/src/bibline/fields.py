"""Texts in fields of a fixed width."""

from __future__ import annotations


def fit(text: str, width: int) -> str:
    """The text, cut or filled up with spaces to the width of its field."""
    return text[:width].ljust(width)


def digits(number: int, width: int) -> str:
    """A number with zeros in front.

    Raises:
        ValueError: it has more digits than the field.
    """
    text = f"{number:0{width}d}"
    if len(text) > width or number < 0:
        raise ValueError(f"{number} does not fit into {width} digits")
    return text
