"""The messages between a `Box` and its supervisor: msgpack structures in frames, with open files beside them.

A frame is its length (4 bytes, little-endian), the number of files that belong to it (1 byte), and the structure. The
files travel with the first byte, so they never come later than the frame.
"""

from __future__ import annotations

import array
import os
import socket
import struct
from collections import deque
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from .spec import BoxSpec

_HEADER = struct.Struct("<IB")
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
_MOST_FILES = 16
_MOST_BYTES = 64 << 20


class Launch(Struct, tag=True):
    """To the zygote: make a sandbox that ends with the process ``owner``. One file: the supervisor's socket."""

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
    """End program ``id`` and everything it started; `ProgramEnded` follows."""

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


class TakeSnapshot(Struct, tag=True):
    """Record the work tree as it is now; `Finished` follows."""

    id: int
    cause: str


class StopBox(Struct, tag=True):
    """End the sandbox; ``end``: JSON of a ``journal.End``. `Finished` follows, then the supervisor exits."""

    id: int
    end: bytes | None


class Started(Struct, tag=True):
    """The sandbox is up."""

    pid: int
    """Its process 1, as the host counts."""
    limits: dict[str, str]
    """{limit: how it is enforced}."""
    features: list[str]
    uid: int
    """The number of its user."""


class ProgramEnded(Struct, tag=True):
    """A program ended."""

    id: int
    status: int
    """As a shell reports it."""
    timed_out: bool = False
    error: int | None = None
    """The errno with which it could not be started at all."""
    what: str = ""
    """The same in words."""


class Opened(Struct, tag=True):
    """With the file, or without one and with ``error`` (an errno)."""

    id: int
    error: int | None = None


class Finished(Struct, tag=True):
    """A request is done. ``tree``: the git tree it has led to; ``error``: why it failed."""

    id: int
    tree: str | None = None
    error: str | None = None


class Gone(Struct, tag=True):
    """The sandbox could not be started, or ended by itself."""

    reason: str


ToSupervisor = Exec | Kill | OpenFile | Write | TakeSnapshot | StopBox
ToBox = Started | ProgramEnded | Opened | Finished | Gone
T = TypeVar("T")


def encode(message: Struct, files: int = 0) -> bytes:
    body = msgspec.msgpack.encode(message)
    return _HEADER.pack(len(body), files) + body


def receive(sock: socket.socket, size: int) -> tuple[bytes, list[int], int | None]:
    """What the socket has: data, the files that came with it (closed on exec), and the sender's pid if that is passed.

    (``socket.recv_fds`` ignores its flags, so a program started meanwhile would inherit the files.)
    """
    room = socket.CMSG_SPACE(_MOST_FILES * 4) + socket.CMSG_SPACE(_CREDENTIALS.size)
    data, extra, flags, _ = sock.recvmsg(size, room, socket.MSG_CMSG_CLOEXEC)
    files: array.array[int] = array.array("i")
    sender: int | None = None
    for level, kind, content in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(content[: len(content) - len(content) % files.itemsize])
        elif level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            sender = _CREDENTIALS.unpack(content[: _CREDENTIALS.size])[0] or None
    if flags & socket.MSG_CTRUNC:
        raise OSError("files were lost on the way: too many are open")
    return data, list(files), sender


class Incoming(Generic[T]):
    """Takes frames apart. ``kinds``: the union of the messages that may arrive."""

    def __init__(self, kinds: Any) -> None:
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kinds)
        self._buffer = bytearray()
        self._files: deque[int] = deque()

    def receive(self, sock: socket.socket) -> bool:
        """Read from the socket; False: the other side has closed it."""
        data, files, _ = receive(sock, 1 << 16)
        self._files.extend(files)
        self._buffer += data
        return bool(data)

    def messages(self) -> list[tuple[T, list[int]]]:
        """The complete frames that were received, each with its files, which the caller closes."""
        found: list[tuple[T, list[int]]] = []
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
