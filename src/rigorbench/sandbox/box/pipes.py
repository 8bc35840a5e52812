"""The output of a command on our side."""

from __future__ import annotations

import asyncio
import contextlib
import os

_QUIET, _LONGEST = 0.05, 1.0  # seconds


class Collected:
    """Reads a pipe as it fills.

    Attributes:
        write_end: For the command.
        data: The last ``limit`` bytes.
        omitted: How many bytes came before them.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, limit: int) -> None:
        self._loop = loop
        self._limit = limit
        self._file, self.write_end = os.pipe()
        os.set_blocking(self._file, False)
        self._open = True
        self._ended = asyncio.Event()
        self._last = loop.time()
        self.data = bytearray()
        self.omitted = 0
        loop.add_reader(self._file, self._read)

    def _read(self) -> None:
        try:
            piece = os.read(self._file, 1 << 16)
        except BlockingIOError:
            return
        if not piece:
            self._loop.remove_reader(self._file)
            self._ended.set()
            return
        self._last = self._loop.time()
        self.data += piece
        if len(self.data) > 2 * self._limit + (1 << 16):
            self._cut()

    def _cut(self) -> None:
        extra = len(self.data) - self._limit
        if extra > 0:
            self.omitted += extra
            del self.data[:extra]

    async def rest(self) -> None:
        """Read what remains after the program's end: everything, or, if a background process keeps the pipe open, until
        nothing arrives for a moment."""
        begun = self._loop.time()
        self._last = max(self._last, begun)
        while not self._ended.is_set():
            now = self._loop.time()
            if now - self._last >= _QUIET or now - begun >= _LONGEST:
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _QUIET)
        self._cut()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._loop.remove_reader(self._file)
            os.close(self._file)
