"""Records as bytes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from .keys import KeyTable
from .varint import write_varint


class Encoder:
    """Writes records with the keys of a table, which grows with every key that is spelled out."""

    def __init__(self, keys: KeyTable) -> None:
        self.keys = keys

    def encode(self, record: Mapping[str, str]) -> bytes:
        body = b"".join(self._key(name) + _text(value) for name, value in record.items())
        return write_varint(len(body)) + body + zlib.crc32(body).to_bytes(4, "big")

    def _key(self, name: str) -> bytes:
        number = self.keys.number(name)
        if number is not None:
            return write_varint(2 * number)
        self.keys.add(name)
        data = name.encode()
        return write_varint(2 * len(data) + 1) + data


def _text(value: str) -> bytes:
    data = value.encode()
    return write_varint(len(data)) + data
