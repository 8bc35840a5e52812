"""The judge's slots, in which test points run in parallel; submissions that are judged at the same time share them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Slots:
    """`count` slots, given out in the order of requests.

    :meth:`alone` waits until no slot is busy and then keeps all of them: for a measurement that nothing may disturb.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = set(range(count))
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def one(self, preferred: int | None = None) -> Iterator[int]:
        """A slot; the `preferred` one if it is free when it is this request's turn."""
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
        """All slots at once. The caller must not hold a slot."""
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
