"""Changes of submissions: from the threads of workers to the event loop, to waiting threads, and to event streams."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import msgspec

from .answers import SubmissionAnswer

# Seconds of silence after which a comment shows that a stream lives.
_BEAT = 15.0


class SubmissionChanges:
    """Who waits for a change of which submission."""

    def __init__(self) -> None:
        self._waiting: dict[int, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._any = threading.Condition()
        self._count = 0

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def notify(self, number: int) -> None:
        """A submission changed. May be called from any thread."""
        with self._any:
            self._count += 1
            self._any.notify_all()
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and nobody waits any more
                self._loop.call_soon_threadsafe(self._set, number)

    def _set(self, number: int) -> None:
        for event in self._waiting.get(number, ()):
            event.set()

    def count(self) -> int:
        with self._any:
            return self._count

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change after the count `seen`, or for so many seconds; returns the count. Not for the loop."""
        with self._any:
            self._any.wait_for(lambda: self._count != seen, seconds)
            return self._count

    async def follow(self, number: int, look: Look, longest: float) -> AsyncIterator[bytes]:
        """Server-sent events of a submission: one now and one for each new status, until nothing more will be shown.

        Args:
            longest: seconds after which the stream ends; the client may ask again.
        """
        event, last, end = asyncio.Event(), None, time.monotonic() + longest
        self._waiting[number].add(event)
        try:
            while time.monotonic() < end:
                event.clear()
                shown, over, until = await look()
                if shown.status != last:
                    last = shown.status
                    yield b"event: status\ndata: " + msgspec.json.encode(shown) + b"\n\n"
                if over:
                    return
                pause = _BEAT if until is None else min(_BEAT, max(0.0, until - time.time()))
                try:
                    await asyncio.wait_for(event.wait(), pause)
                except TimeoutError:
                    if pause == _BEAT:
                        yield b": still there\n\n"
        finally:
            self._waiting[number].discard(event)
            if not self._waiting[number]:
                del self._waiting[number]


# What an author may see now; whether nothing will follow; when it changes without a notification (seconds since 1970).
Look = Callable[[], Awaitable[tuple[SubmissionAnswer, bool, float | None]]]
