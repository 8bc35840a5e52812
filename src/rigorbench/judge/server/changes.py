"""Notifications about submissions, from the threads of workers to the server's event loop and to other threads."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress


class Changes:
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

    def subscribe(self, number: int) -> asyncio.Event:
        """An event of the loop that is set at each change; pass it to `unsubscribe` in the end."""
        event = asyncio.Event()
        self._waiting[number].add(event)
        return event

    def unsubscribe(self, number: int, event: asyncio.Event) -> None:
        self._waiting[number].discard(event)
        if not self._waiting[number]:
            del self._waiting[number]

    def count(self) -> int:
        with self._any:
            return self._count

    def wait(self, seen: int, seconds: float) -> int:
        """Wait for a change after the count `seen`, or for so many seconds; returns the count. Not for the loop."""
        with self._any:
            self._any.wait_for(lambda: self._count != seen, seconds)
            return self._count
