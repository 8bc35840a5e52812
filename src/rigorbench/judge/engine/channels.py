"""What a program sends besides its standard output: the result of a driver, the report of a sanitizer.

Both come through pipes that are for the program's start-up code only. They end with a nonce, which that code reads once
at the start: a program that leaves before the end, or writes to the pipes itself, cannot know it.
"""

from __future__ import annotations

import os
import secrets
import select
import threading
from typing import Final

from ..build.program import NONCE_FD, REPORTS_FD, RESULTS_FD, BuiltProgram

_REPORT: Final = 1 << 20
_CHUNK: Final = 64 << 10


class _Stream:
    def __init__(self, most: int) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self.most = most
        self.data = bytearray()
        self.received = 0

    def drain(self) -> bool:
        """Read what is available; False: nobody can write any more."""
        while True:
            try:
                chunk = os.read(self.read, _CHUNK)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self.received += len(chunk)
            if len(self.data) < self.most:
                self.data += chunk[: self.most - len(self.data)]


class Channels:
    """The private descriptors of one run: pass :attr:`files` to it, and read the results after :meth:`close`."""

    def __init__(self, program: BuiltProgram, most: int) -> None:
        """``most``: bytes of a driver's result."""
        self.nonce = secrets.token_hex(16)
        self.files: dict[int, int] = {}
        self._streams: dict[int, _Stream] = {}
        if program.driver:
            # The trailer with the nonce comes on top of what the problem allows.
            self._streams[RESULTS_FD] = _Stream(most + 64)
        if program.reports is not None:
            self._streams[REPORTS_FD] = _Stream(_REPORT)
        self.files.update({number: stream.write for number, stream in self._streams.items()})
        if program.driver or program.reports == "sanitizer":
            nonce, write = os.pipe()
            os.write(write, f"{self.nonce}\n".encode())
            os.close(write)
            self.files[NONCE_FD] = nonce
        self._reader: threading.Thread | None = None
        if self._streams:
            self._end_read, self._end_write = os.pipe()
            self._reader = threading.Thread(target=self._collect, name="judge-channels", daemon=True)
            self._reader.start()

    def _collect(self) -> None:
        poll = select.poll()
        poll.register(self._end_read, select.POLLIN)
        streams = {stream.read: stream for stream in self._streams.values()}
        for number in streams:
            poll.register(number, select.POLLIN)
        while True:
            for number, _ in poll.poll():
                if number == self._end_read:
                    return
                if not streams[number].drain():
                    poll.unregister(number)

    def close(self) -> None:
        """After the run: read the rest and close everything."""
        for descriptor in self.files.values():
            os.close(descriptor)
        self.files = {}
        if self._reader is not None:
            os.write(self._end_write, b"x")
            self._reader.join()
            self._reader = None
            os.close(self._end_read)
            os.close(self._end_write)
            for stream in self._streams.values():
                # Not up to the end of file: processes that the program left behind may take a moment to disappear.
                stream.drain()
                os.close(stream.read)

    def report(self) -> bytes:
        stream = self._streams.get(REPORTS_FD)
        return bytes(stream.data) if stream is not None else b""

    def overflowed(self) -> bool:
        stream = self._streams.get(RESULTS_FD)
        return stream is not None and stream.received > stream.most

    def result(self) -> bytes | None:
        """The driver's result; None: the driver did not finish, or something was written after it."""
        stream = self._streams.get(RESULTS_FD)
        if stream is None:
            return None
        trailer = f"\n{self.nonce}\n".encode()
        data = bytes(stream.data)
        return data[: -len(trailer)] if data.endswith(trailer) else None
