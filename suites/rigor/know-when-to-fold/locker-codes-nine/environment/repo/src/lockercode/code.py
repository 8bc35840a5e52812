"""Codes: a parcel as a text of fixed length, and back."""

from __future__ import annotations

from .alphabet import clean, read, write
from .check import check_character
from .errors import CodeError
from .parcel import Parcel

# The width of each part in characters, in the order of the code.
PARTS = (("station", 3), ("locker", 2), ("day", 2), ("serial", 3))
CODE_LENGTH = sum(width for _, width in PARTS) + 1


def encode(parcel: Parcel) -> str:
    """The code of a parcel."""
    text = "".join(write(getattr(parcel, name), width) for name, width in PARTS)
    return text + check_character(text)


def decode(code: str) -> Parcel:
    """The parcel of a code, as typed or as printed on a label.

    Raises:
        CodeError: it is no code, or one with a mistyped character.
    """
    text = clean(code)
    if len(text) != CODE_LENGTH:
        raise CodeError(f"a code has {CODE_LENGTH} characters, not {len(text)}")
    body, check = text[:-1], text[-1]
    if check_character(body) != check:
        raise CodeError("the code is mistyped")
    numbers = {}
    for name, width in PARTS:
        numbers[name], body = read(body[:width]), body[width:]
    return Parcel(**numbers)
