"""Changes of submissions: what workers, waiting threads and event streams wait for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from .answers import SubmissionAnswer

# What an author may see now; whether nothing will follow; when it changes without a notification (seconds since 1970).
Look = Callable[[], Awaitable[tuple[SubmissionAnswer, bool, float | None]]]
# Seconds of silence after which a comment shows that a stream lives, and between two looks for a change.
_BEAT, _TICK = 15.0, 0.05


class SubmissionChanges:
    """Counts changes; `count`: of all submissions together, and of the queue."""

    def __init__(self) -> None:
        self.count = 0
        self._of: Counter[int] = Counter()
        self._changed = threading.Condition()

    def notify(self, number: int | None = None) -> None:
        """A submission changed, or there is something to do. May be called from any thread."""
        with self._changed:
            self.count += 1
            if number is not None:
                self._of[number] += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change after the count `seen`, or for so many seconds; returns the count. Not for the loop."""
        with self._changed:
            self._changed.wait_for(lambda: self.count != seen, seconds)
            return self.count

    async def follow(self, number: int, look: Look, longest: float) -> AsyncIterator[bytes]:
        """Server-sent events of a submission: one now and one for each new status, until nothing more will be shown.

        `longest`: seconds after which the stream ends; the client may ask again.
        """
        last, end = None, time.monotonic() + longest
        while time.monotonic() < end:
            seen = self._of[number]
            shown, over, until = await look()
            if shown.status != last:
                last = shown.status
                yield b"event: status\ndata: " + msgspec.json.encode(shown) + b"\n\n"
            if over:
                return
            pause = _BEAT if until is None else min(_BEAT, max(0.0, until - time.time()))
            again = time.monotonic() + pause
            while self._of[number] == seen and time.monotonic() < again:
                await asyncio.sleep(min(_TICK, pause))
            if pause == _BEAT and self._of[number] == seen:
                yield b": still there\n\n"
