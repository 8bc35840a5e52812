"""Records from bytes."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from .errors import SpoolError
from .keys import KeyTable
from .varint import read_varint


class Decoder:
    """Reads records with the keys of a table, which grows with every key that is spelled out."""

    def __init__(self, keys: KeyTable) -> None:
        self.keys = keys

    def decode(self, data: bytes, place: int) -> Iterator[dict[str, str]]:
        """The records from a place to the end.

        Raises:
            SpoolError: the data is damaged.
        """
        count = 0
        while place < len(data):
            count += 1
            try:
                body, place = _body(data, place)
                yield self._record(body)
            except SpoolError as error:
                raise SpoolError(f"record {count}: {error}") from None

    def _record(self, body: bytes) -> dict[str, str]:
        record: dict[str, str] = {}
        place = 0
        while place < len(body):
            mark, place = read_varint(body, place)
            if mark % 2:
                name, place = _text(body, place, mark // 2)
                self.keys.add(name)
            else:
                name = self.keys.name(mark // 2)
            length, place = read_varint(body, place)
            record[name], place = _text(body, place, length)
        return record


def _body(data: bytes, place: int) -> tuple[bytes, int]:
    length, place = read_varint(data, place)
    end = place + length
    if end + 4 > len(data):
        raise SpoolError("the record is cut off")
    body = data[place:end]
    if zlib.crc32(body).to_bytes(4, "big") != data[end : end + 4]:
        raise SpoolError("the checksum is wrong")
    return body, end + 4


def _text(body: bytes, place: int, length: int) -> tuple[str, int]:
    end = place + length
    if end > len(body):
        raise SpoolError("a text is cut off")
    try:
        return body[place:end].decode(), end
    except UnicodeDecodeError:
        raise SpoolError("a text is no UTF-8") from None
