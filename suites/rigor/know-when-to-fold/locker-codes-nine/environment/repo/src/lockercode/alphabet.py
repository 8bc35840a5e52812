"""The characters of the keypad, and numbers written with them."""

from __future__ import annotations

from .errors import CodeError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE = len(ALPHABET)
_VALUES = {character: value for value, character in enumerate(ALPHABET)}
_MEANT = str.maketrans({"O": "0", "I": "1", "L": "1"})


def clean(text: str) -> str:
    """A code as it was typed or printed, in the characters of the alphabet alone.

    Raises:
        CodeError: there are others in it.
    """
    plain = text.upper().replace("-", "").replace(" ", "").translate(_MEANT)
    wrong = next((character for character in plain if character not in _VALUES), None)
    if wrong is not None:
        raise CodeError(f"{wrong!r} is not on the keypad")
    return plain


def write(number: int, width: int) -> str:
    """A number in ``width`` characters.

    Raises:
        CodeError: it needs more.
    """
    characters = []
    for _ in range(width):
        number, value = divmod(number, BASE)
        characters.append(ALPHABET[value])
    if number:
        raise CodeError(f"the number does not fit into {width} characters")
    return "".join(reversed(characters))


def read(text: str) -> int:
    """The number that clean text stands for."""
    number = 0
    for character in text:
        number = number * BASE + value(character)
    return number


def value(character: str) -> int:
    return _VALUES[character]
