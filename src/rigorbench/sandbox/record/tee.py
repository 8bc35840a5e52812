"""Passes a command's output on to its reader, with a copy for the journal.

Standard output and error of a command are replaced by a pipe (or a socket, where it was one) whose other end is ours.
Every byte is passed on in order, and no faster than it is read: a full original stops our reading, which stops the
command, as without us. When the reader closes its end, we close ours, and the command gets its SIGPIPE.
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import select
import socket
import stat
import time
from collections import deque
from collections.abc import Callable
from itertools import groupby
from typing import Final, Literal

from ...base import journal
from .events import ERROR, IN, OUT, Events

Stream = Literal["out", "err", "both"]
LIMIT: Final = 256 << 10
_CHUNK: Final = 64 << 10
_SMALL: Final = 4 << 10
_PAUSE: Final = 0.05  # seconds between two records of a stream that prints little by little


class OutputCopy:
    """What is kept of one command's output: `LIMIT` bytes, the first half as it arrives, and the end of the rest.

    In the end part the larger stream is shortened: much standard output must not push out the error.
    """

    def __init__(self, id_: str, write: Callable[[journal.JournalRecord], object]) -> None:
        self.id = id_
        self._write = write
        self._head = LIMIT // 2
        # By stream: (number in the order of arrival, data), and bytes.
        self._tails: dict[Stream, deque[tuple[int, bytes]]] = {}
        self._sizes: dict[Stream, int] = {}
        self._arrived = 0
        self._tail_limit = LIMIT - LIMIT // 2
        self._omitted = 0
        self._decoders: dict[Stream, codecs.IncrementalDecoder] = {}
        self._held: list[str] = []
        self._stream: Stream = "out"
        self._last = 0.0

    def add(self, stream: Stream, data: bytes) -> None:
        if self._head > 0:
            part, data = data[: self._head], data[self._head :]
            self._head -= len(part)
            if stream != self._stream:
                self.flush()
                self._stream = stream
            decoder = self._decoders.get(stream)
            if decoder is None:
                decoder = self._decoders[stream] = codecs.getincrementaldecoder("utf-8")("replace")
            self._held.append(decoder.decode(part, False))
            now = time.time()
            if now - self._last >= _PAUSE or self._head == 0 or sum(map(len, self._held)) > 4096:
                self.flush(now)
        if data:
            self._arrived += 1
            self._tails.setdefault(stream, deque()).append((self._arrived, data))
            self._sizes[stream] = self._sizes.get(stream, 0) + len(data)
            while (over := sum(self._sizes.values()) - self._tail_limit) > 0:
                largest = max(self._sizes, key=self._sizes.__getitem__)
                number, first = self._tails[largest].popleft()
                over = min(over, len(first))
                if len(first) > over:
                    self._tails[largest].appendleft((number, first[over:]))
                self._sizes[largest] -= over
                self._omitted += over

    def skip(self, size: int) -> None:
        """So many bytes follow that were not read."""
        self._omitted += size

    def flush(self, now: float | None = None) -> None:
        """Write what is held back."""
        if held := "".join(self._held):
            self._last = now or time.time()
            self._write(journal.OutputRecord(self._last, self.id, held, self._stream))
        self._held.clear()

    def finish(self) -> None:
        """The command has ended: write the end part. Its background processes may print more."""
        self.flush()
        for stream, decoder in self._decoders.items():
            if rest := decoder.decode(b"", True):  # half a character at the end
                self._write(journal.OutputRecord(time.time(), self.id, rest, stream))
            decoder.reset()
        arrived = sorted((n, name, data) for name, parts in self._tails.items() for n, data in parts)
        self._tail_limit -= sum(self._sizes.values())
        self._tails.clear()
        self._sizes.clear()
        for name, parts in groupby(arrived, key=lambda part: part[1]):
            self._put_tail(name, b"".join(data for _, _, data in parts))
        if self._omitted:
            self._put_tail("out", b"")

    def _put_tail(self, stream: Stream, data: bytes) -> None:
        record = journal.OutputRecord(time.time(), self.id, data.decode("utf-8", "replace"), stream, self._omitted)
        self._omitted = 0
        self._write(record)


class _Sink:
    """The original target: takes what it can without blocking us."""

    def __init__(self, fd: int, is_socket: bool) -> None:
        self.fd = fd
        self._socket = socket.socket(fileno=fd) if is_socket else None
        self._poll: select.poll | None = None
        if not is_socket:
            try:  # a description of our own: "do not wait" must not reach those who share the original
                own = os.open(f"/proc/self/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError:
                self._poll = select.poll()
                self._poll.register(fd, select.POLLOUT)
            else:
                os.close(fd)
                self.fd = own

    def write(self, data: memoryview) -> int:
        """How many bytes it took. Raises OSError when it has no reader any more."""
        try:
            if self._socket is not None:
                return self._socket.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            if self._poll is not None:  # with this much room a pipe does not make its writer wait
                return os.write(self.fd, data[:4096]) if self._poll.poll(0) else 0
            return os.write(self.fd, data)
        except (BlockingIOError, InterruptedError):
            return 0

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        else:
            os.close(self.fd)


class Tee:
    """Passes on one stream and owns its target ``original``. `entrance` is for the command; close it afterwards."""

    def __init__(self, events: Events, original: int, stream: Stream, copy: OutputCopy) -> None:
        self.stream = stream
        self.copy = copy
        self._events = events
        is_socket = stat.S_ISSOCK(os.fstat(original).st_mode)
        if is_socket:
            ours, theirs = socket.socketpair()
            self._source, self.entrance = ours.detach(), theirs.detach()
        else:
            self._source, self.entrance = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._source, False)
        if fcntl.fcntl(original, fcntl.F_GETFL) & os.O_NONBLOCK:
            os.set_blocking(self.entrance, False)
        self._sink = _Sink(original, is_socket)
        self._pending = memoryview(b"")
        self._ended = False
        self._paused = False
        self.closed = False
        events.watch(self._source, IN, self._readable)
        events.watch(self._sink.fd, 0, self._sink_event)

    def drain(self, most: int = 4 << 20) -> int:
        """Pass on what is there now, at most about ``most`` bytes; their number."""
        total = 0
        while total < most and not self.closed and not self._ended and not self._pending:
            got = self._read()
            total += got
            if got < _CHUNK:
                break
        if self._paused:
            self._resume()  # the end of the stream is to be seen at once
        return total

    def close(self) -> None:
        """End it, whatever is still to be passed on."""
        if not self.closed:
            self.closed = True
            self._stop_reading()
            self._events.drop(self._sink.fd)
            self._sink.close()
            self.copy.finish() if self._ended else self.copy.flush()

    def _readable(self, mask: int) -> None:
        got = self.drain(1 << 20)
        if 0 < got < _SMALL and not self._ended and not self._pending:
            # A program that prints letter by letter would wake us, and the reader, for each of them.
            self._paused = True
            self._events.drop(self._source)
            self._events.later(self._resume)

    def _resume(self) -> None:
        if self._paused:
            self._paused = False
            if not self._ended and not self._pending and not self.closed:
                self._events.watch(self._source, IN, self._readable)

    def _read(self) -> int:
        try:
            data = os.read(self._source, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            data = b""
        if not data:
            self._end()
            return 0
        self.copy.add(self.stream, data)
        self._pending = memoryview(data)
        self._pass_on()
        return len(data)

    def _pass_on(self) -> None:
        try:
            while self._pending:
                done = self._sink.write(self._pending)
                if not done:
                    break
                self._pending = self._pending[done:]
        except OSError:  # it has no reader any more
            self._pending = memoryview(b"")
            self._end()
            return
        if self._pending:
            self._events.drop(self._source)
            self._events.watch(self._sink.fd, OUT, self._sink_event)
        elif self._ended:
            self.close()

    def _sink_event(self, mask: int) -> None:
        if self.closed:
            return
        if mask & ERROR and not mask & OUT:
            self._pending = memoryview(b"")
            self.drain()  # for the copy; the first write fails and ends it
            self._end()
            return
        self._pass_on()
        if not self.closed and not self._pending:
            self._events.watch(self._sink.fd, 0, self._sink_event)
            self._events.watch(self._source, IN, self._readable)

    def _stop_reading(self) -> None:
        if self._source >= 0:
            self._events.drop(self._source)
            os.close(self._source)
            self._source = -1

    def _end(self) -> None:
        self._ended = True
        self._stop_reading()
        if not self._pending:
            self.close()


class FileCopy:
    """Output that goes to a regular file: read when the command ends, from the position at which it began."""

    def __init__(self, fd: int, stream: Stream, copy: OutputCopy) -> None:
        self._copy, self._stream = copy, stream
        info = os.fstat(fd)
        appending = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_APPEND
        self._at = info.st_size if appending else os.lseek(fd, 0, os.SEEK_CUR)
        self._fd = os.open(f"/proc/self/fd/{fd}", os.O_RDONLY | os.O_CLOEXEC)  # the original may be write-only
        os.close(fd)

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            size = os.fstat(self._fd).st_size
            half = LIMIT // 2
            while self._at < size and (data := os.pread(self._fd, half, self._at)):
                if size - self._at > 2 * LIMIT:  # a log of gigabytes: its beginning and its end
                    self._copy.add(self._stream, data)
                    self._copy.skip(size - half - self._at - len(data))
                    self._at = size - half
                    continue
                self._copy.add(self._stream, data)
                self._at += len(data)
        os.close(self._fd)
