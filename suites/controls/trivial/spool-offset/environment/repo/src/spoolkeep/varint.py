"""Whole numbers in as few bytes as they need: seven bits to a byte, the lowest first, the top bit means "more"."""

from __future__ import annotations

from .errors import SpoolError


def write_varint(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def read_varint(data: bytes, place: int) -> tuple[int, int]:
    """(number, the place behind it).

    Raises:
        SpoolError: the data ends before the number does.
    """
    number = shift = 0
    while True:
        if place >= len(data):
            raise SpoolError("a number is cut off")
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7
