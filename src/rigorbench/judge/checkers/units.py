"""Splits streams into the units of a comparison (tokens, runs of white space, lines) with bounded memory."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import BinaryIO, Final, Literal

from msgspec import Struct

# White space of the format; `bytes.split` splits at the same characters.
WHITE: Final = b" \t\n\r\x0b\x0c"
CHUNK: Final = 1 << 20
_RUNS: Final = re.compile(rb"[ \t\n\r\x0b\x0c]+|[^ \t\n\r\x0b\x0c]+")
_TO_WHITE: Final = re.compile(rb"[ \t\n\r\x0b\x0c]")
_TO_BLACK: Final = re.compile(rb"[^ \t\n\r\x0b\x0c]")
_TO_LINE: Final = re.compile(rb"\n")

# "runs": tokens and the white space between them.
Kind = Literal["tokens", "runs", "lines"]
Strip = Callable[[bytes], bytes]


class Long(Struct, frozen=True):
    """A unit that is too long to be kept: digests of it as it is, and in lower case."""

    exact: bytes
    lower: bytes

    def __repr__(self) -> str:
        return "(very long)"


Unit = bytes | Long


def strip_line(line: bytes) -> bytes:
    return line.rstrip(WHITE)


def strip_return(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"\r") else line


class Units:
    """The units of a stream.

    Args:
        strip: removes what does not count at the end of a line.

    Attributes:
        units: read and not taken yet.
        carry: the start of the next unit.
        ended: the stream has ended, and all its units were split off.
        offset: bytes of the stream before the first unit since the last `skip`.
        taken: units since then.
    """

    def __init__(self, stream: BinaryIO, kind: Kind, strip: Strip | None = None) -> None:
        self._stream = stream
        self._kind = kind
        self._strip = strip
        self._long: _LongUnit | None = None
        self._read = 0
        self.units: list[Unit] = []
        self.carry = b""
        self.ended = False
        self.offset = 0
        self.taken = 0

    @property
    def idle(self) -> bool:
        """Whether everything that was read is either taken or in `carry`."""
        return not self.units and self._long is None and not self.ended

    def read(self) -> bytes:
        """The next bytes of the stream, b"" at its end; pass them to `skip` or `feed`."""
        parts, missing = [], CHUNK
        while missing and (data := self._stream.read(missing)):
            parts.append(data)
            missing -= len(data)
        found = b"".join(parts)
        self._read += len(found)
        return found

    def skip(self, data: bytes) -> None:
        """Take bytes that need not be compared: only the start of a unit at their end is kept."""
        data = self.carry + data
        start = _start_of_last(data, self._kind)
        self.carry = data[start:]
        self.offset, self.taken = self._read - len(self.carry), 0
        self._bound()

    def feed(self, data: bytes) -> None:
        """Split bytes into units; b"" ends the stream."""
        ended = not data
        if self._long is not None:
            end = self._long.end(data)
            self._long.add(data[:end])
            if end == len(data) and not ended:
                return
            self.units.append(self._long.done())
            self._long = None
            # The end of a line is not part of the next line.
            data = data[end + 1 :] if self._kind == "lines" else data[end:]
        data = self.carry + data
        start = len(data) if ended else _start_of_last(data, self._kind)
        whole, self.carry = data[:start], data[start:]
        units = _cut(whole, self._kind)
        if self._strip is not None:
            units = list(map(self._strip, units))
        # How a unit is kept must not depend on where the stream was split.
        large = len(whole) > CHUNK and max(map(len, units), default=0) > CHUNK
        self.units += [_bounded(unit) for unit in units] if large else units
        self.ended = ended
        self._bound()

    def take(self, count: int) -> list[Unit]:
        found = self.units[:count]
        self.units = self.units[count:]
        self.taken += len(found)
        return found

    def _bound(self) -> None:
        if len(self.carry) > CHUNK:
            self._long = _LongUnit(self._kind, self._strip, self.carry)
            self.carry = b""


class _LongUnit:
    """Digests of a unit that arrives in parts, without what does not count at its end."""

    def __init__(self, kind: Kind, strip: Strip | None, start: bytes) -> None:
        self._pattern = _TO_LINE if kind == "lines" else _TO_BLACK if start[:1].isspace() else _TO_WHITE
        self._strip = strip
        self._all = (hashlib.sha256(), hashlib.sha256())
        self._kept = (hashlib.sha256(), hashlib.sha256())
        self._head = b""
        self._length = self._kept_length = 0
        self.add(start)

    def end(self, data: bytes) -> int:
        found = self._pattern.search(data)
        return len(data) if found is None else found.start()

    def add(self, data: bytes) -> None:
        if not data:
            return
        kept = data if self._strip is None else self._strip(data)
        self._update(kept)
        if kept or self._strip is not strip_line:
            # White space in a line counts only if something follows it.
            self._kept = (self._all[0].copy(), self._all[1].copy())
            self._kept_length = self._length
        self._update(data[len(kept) :])

    def done(self) -> Unit:
        if self._kept_length <= CHUNK:
            return self._head[: self._kept_length]
        return Long(self._kept[0].digest(), self._kept[1].digest())

    def _update(self, data: bytes) -> None:
        self._head += data[: CHUNK - len(self._head)]
        self._length += len(data)
        self._all[0].update(data)
        self._all[1].update(data.lower())


def _bounded(unit: bytes) -> Unit:
    if len(unit) <= CHUNK:
        return unit
    return Long(hashlib.sha256(unit).digest(), hashlib.sha256(unit.lower()).digest())


def _cut(data: bytes, kind: Kind) -> list[bytes]:
    if kind == "tokens":
        return data.split()
    if kind == "runs":
        return _RUNS.findall(data)
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _start_of_last(data: bytes, kind: Kind) -> int:
    """Start of the last unit, which may continue in the next bytes."""
    if kind == "lines":
        return data.rfind(b"\n") + 1
    if kind == "runs" and data[-1:].isspace():
        return len(data.rstrip(WHITE))
    return 1 + max(data.rfind(white) for white in (b" ", b"\n", b"\t", b"\r", b"\x0b", b"\x0c"))
