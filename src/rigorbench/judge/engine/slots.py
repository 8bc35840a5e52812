"""The judge's parallel places. Submissions that are judged at the same time take turns at them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Slots:
    """``count`` slots, given out in the order in which they were asked for: nobody overtakes.

    :meth:`alone` waits until no slot is busy and keeps all others waiting: for a measurement that nothing may disturb.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = set(range(count))
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def one(self, preferred: int | None = None) -> Iterator[int]:
        """A slot; the ``preferred`` one where it is free when it is our turn."""
        with self._turn():
            self._changed.wait_for(lambda: self._free)
            slot = preferred if preferred in self._free and preferred is not None else min(self._free)
            self._free.discard(slot)
        try:
            yield slot
        finally:
            self._give_back({slot})

    @contextmanager
    def alone(self) -> Iterator[None]:
        """All slots at once. Must not be asked for by one who holds a slot."""
        everything = set(range(self.count))
        with self._turn():
            self._changed.wait_for(lambda: self._free == everything)
            self._free.clear()
        try:
            yield
        finally:
            self._give_back(everything)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket)
                yield
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _give_back(self, slots: set[int]) -> None:
        with self._changed:
            self._free |= slots
            self._changed.notify_all()
