"""What a `Box` and its warden say to each other: msgpack structures in frames, with open files beside them.

A frame is its length (4 bytes, little-endian), the number of files that belong to it (1 byte), and the structure. The
files travel with the first byte, so they never come later than the frame.
"""

from __future__ import annotations

import array
import os
import socket
import struct
from collections import deque
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from ..spec import BoxSpec

_HEADER = struct.Struct("<IB")
_MOST_FILES = 8
_MOST_BYTES = 64 << 20


class Launch(Struct, tag=True):
    """To the zygote: make a sandbox. ``owner``: the process whose end ends it. One file: the warden's socket."""

    spec: BoxSpec
    owner: int


class Exec(Struct, tag=True):
    """Run a program. Files: standard input (only if ``stdin``), output, error. ``timeout`` in seconds."""

    id: int
    argv: list[bytes]
    cwd: bytes
    env: dict[bytes, bytes]
    stdin: bool
    timeout: float | None = None
    origin: str = "tool"
    tag: str | None = None


class Kill(Struct, tag=True):
    """End program ``id`` and all it started; `Ended` follows."""

    id: int


class OpenFile(Struct, tag=True):
    """Open a file as the sandbox's user sees it; ``write`` makes it and its directories."""

    id: int
    path: bytes
    write: bool


class Write(Struct, tag=True):
    """Append a record (JSON of a ``journal`` structure) to the journal; `Finished` follows."""

    id: int
    record: bytes


class Snapshot(Struct, tag=True):
    id: int
    cause: str


class Stop(Struct, tag=True):
    """End the sandbox; ``end``: JSON of a ``journal.End``. `Finished` follows, then the warden is gone."""

    id: int
    end: bytes | None


class Started(Struct, tag=True):
    pid: int
    limits: dict[str, str]
    features: list[str]
    uid: int


class Ended(Struct, tag=True):
    """``status`` as a shell states it; ``error``: the errno with which the program could not be started at all."""

    id: int
    status: int
    timed_out: bool = False
    error: int | None = None
    what: str = ""


class Opened(Struct, tag=True):
    """With the file, or without one and with ``error`` (an errno)."""

    id: int
    error: int | None = None


class Finished(Struct, tag=True):
    id: int
    tree: str | None = None
    error: str | None = None


class Gone(Struct, tag=True):
    """The sandbox could not be started, or ended by itself."""

    reason: str


ToWarden = Launch | Exec | Kill | OpenFile | Write | Snapshot | Stop
ToBox = Started | Ended | Opened | Finished | Gone
_T = TypeVar("_T")


def encode(message: Struct, files: int = 0) -> bytes:
    body = msgspec.msgpack.encode(message)
    return _HEADER.pack(len(body), files) + body


class Incoming:
    """Takes frames apart. ``kind``: the union of structures that may come."""

    def __init__(self, kind: Literal["warden", "box"]) -> None:
        self._decoder: msgspec.msgpack.Decoder[ToWarden | ToBox] = msgspec.msgpack.Decoder(
            ToWarden if kind == "warden" else ToBox
        )
        self._buffer = bytearray()
        self._files: deque[int] = deque()

    def receive(self, sock: socket.socket) -> bool:
        """Take what the socket has; False when the other side has closed it."""
        room = socket.CMSG_SPACE(_MOST_FILES * 4)
        data, extra, flags, _ = sock.recvmsg(1 << 16, room, getattr(socket, "MSG_CMSG_CLOEXEC", 0))
        for level, kind, content in extra:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                numbers = array.array("i")
                numbers.frombytes(content[: len(content) - len(content) % numbers.itemsize])
                self._files.extend(numbers)
        if flags & socket.MSG_CTRUNC:
            raise OSError("files were lost on the way: too many are open")
        self._buffer += data
        return bool(data)

    def messages(self) -> list[tuple[ToWarden | ToBox, list[int]]]:
        """The complete frames that have come, each with its files (now the caller's to close)."""
        found: list[tuple[ToWarden | ToBox, list[int]]] = []
        while len(self._buffer) >= _HEADER.size:
            length, files = _HEADER.unpack_from(self._buffer)
            if length > _MOST_BYTES:
                raise OSError("a message is too long")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            message = self._decoder.decode(memoryview(self._buffer)[_HEADER.size : end])
            del self._buffer[:end]
            found.append((message, [self._files.popleft() for _ in range(files)]))
        return found

    def close(self) -> None:
        while self._files:
            os.close(self._files.popleft())


def send(sock: socket.socket, message: Struct, files: list[int] | None = None) -> None:
    """Send on a blocking socket."""
    data = encode(message, len(files or ()))
    sent = socket.send_fds(sock, [data], files) if files else 0
    sock.sendall(memoryview(data)[sent:])
