"""Who waits for which submission to get on: told by workers' threads, heard in the server's event loop."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress


class Changes:
    def __init__(self) -> None:
        self._waiting: dict[int, set[asyncio.Event]] = defaultdict(set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._any = threading.Condition()
        self._count = 0

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def tell(self, number: int) -> None:
        """By any thread: the submission got on."""
        with self._any:
            self._count += 1
            self._any.notify_all()
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and with it all who waited
                self._loop.call_soon_threadsafe(self._set, number)

    def _set(self, number: int) -> None:
        for event in self._waiting.get(number, ()):
            event.set()

    def subscribe(self, number: int) -> asyncio.Event:
        """In the loop: an event that is set at each change. Give it back to `unsubscribe`."""
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
        """In any other thread: wait for a change after the count ``seen``, or for so long. Returns the count."""
        with self._any:
            self._any.wait_for(lambda: self._count != seen, seconds)
            return self._count
