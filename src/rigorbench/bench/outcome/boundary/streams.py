"""Requests between two processes in both directions; each thread that asks has a stream of its own.

So a thread of one side has one thread of the other side to itself: what it locks there is locked by it, and it waits
there for nobody but whom it would wait for in one process. A message is a line of JSON; one with ``do`` is a request,
and ``n`` is the number of a request of its thread and of the answer to it.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]


class StreamEnded(Exception):
    """The other process has ended, or has closed this stream."""


class Streams:
    """The streams of one side.

    Args:
        first: the stream of the thread that asks first, or that is served first.
        control: over which the other end of each further stream is sent.
        answer: does what a request says; what it raises ends the stream.
    """

    def __init__(self, first: socket.socket, control: socket.socket, answer: Callable[[Message], Message]) -> None:
        self._first: socket.socket | None = first
        self._control = control
        self._answer = answer
        self._own = threading.local()
        self._lock = threading.Lock()
        threading.Thread(target=self._receive_streams, daemon=True).start()

    def ask(self, message: Message) -> Message:
        """Send a request and give the answer; meanwhile the other side may ask this thread.

        Raises:
            Ended: there is no other side any more.
            ValueError, RecursionError: it sent what is no message.
        """
        file = self._file()
        number = self._own.asked = getattr(self._own, "asked", 0) + 1
        self._send(file, {**message, "n": number})
        while "do" in (reply := self._receive(file)):
            self._send(file, self._answered(reply))
        if reply.pop("n", None) != number:
            raise ValueError("an answer to another request")  # a fork of the other process answers as well
        return reply

    def _answered(self, request: Message) -> Message:
        number = request.pop("n", None)
        return {**self._answer(request), "n": number}

    def serve(self, stream: socket.socket | None = None) -> None:
        """Answer the requests of a stream (default: the first) in this thread until it ends."""
        if stream is not None:
            self._own.file = _opened(stream)
        file = self._file()
        with contextlib.suppress(StreamEnded, ValueError, RecursionError):
            while True:
                self._send(file, self._answered(self._receive(file)))

    def _file(self) -> Any:
        """The stream of this thread."""
        found = getattr(self._own, "file", None)
        if found is None:
            with self._lock:
                ours, self._first = self._first, None
            if ours is None:
                ours, theirs = socket.socketpair()
                with theirs:
                    socket.send_fds(self._control, [b"."], [theirs.fileno()])
            found = self._own.file = _opened(ours)
        return found

    def _receive_streams(self) -> None:
        while True:
            try:
                sent, descriptors, _, _ = socket.recv_fds(self._control, 1, 1, socket.MSG_CMSG_CLOEXEC)
            except OSError:
                return
            if not sent:
                return
            with contextlib.suppress(OSError):  # what is no socket
                for descriptor in descriptors:
                    stream = socket.socket(fileno=descriptor)
                    threading.Thread(target=self.serve, args=(stream,), daemon=True).start()

    def _send(self, file: Any, message: Message) -> None:
        try:
            file.write(json.dumps(message).encode() + b"\n")
            file.flush()
        except OSError:
            raise StreamEnded from None

    def _receive(self, file: Any) -> Message:
        try:
            line = file.readline()
        except OSError:
            line = b""
        if not line:
            raise StreamEnded
        message = json.loads(line)
        if not isinstance(message, dict):
            raise ValueError(message)
        return message


def _opened(stream: socket.socket) -> Any:
    """The stream as a file, which closes it when the thread has ended."""
    with stream:
        return stream.makefile("rwb")
