"""The judge's slots, in which test points run in parallel; submissions that are judged at the same time share them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from .sharing import SharedProcessors


class Slots:
    """`count` slots, given out in the order of requests.

    :meth:`alone` waits until no slot is busy and then keeps all of them: for a measurement that nothing may disturb.

    Args:
        shared: the processors of the slots, which other judges on the machine use as well; None: nobody does.
    """

    def __init__(self, count: int, shared: SharedProcessors | None = None) -> None:
        self.count = count
        self._shared = shared
        self._free = set(range(count))
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def one(self, preferred: int | None = None) -> Iterator[int]:
        """A slot; the `preferred` one if it is free when it is this request's turn. Raises: JudgeError."""
        shared = self._shared
        with self._turn():
            self._changed.wait_for(lambda: self._free)
            order = sorted(self._free, key=lambda slot: (slot != preferred, slot))
            taken = next((slot for slot in order if shared is None or shared.take(slot)), None)
            slot = order[0] if taken is None else taken
            self._free.discard(slot)
        try:
            if shared is not None and taken is None:
                shared.wait(slot)  # another judge has them all
                taken = slot
            yield slot
        finally:
            if shared is not None and taken is not None:
                shared.release((slot,))
            self._give_back({slot})

    @contextmanager
    def alone(self) -> Iterator[None]:
        """All slots at once. The caller must not hold a slot. Raises: JudgeError."""
        everything = set(range(self.count))
        with self._turn():
            self._changed.wait_for(lambda: self._free == everything)
            self._free.clear()
        try:
            with nullcontext() if self._shared is None else self._shared.all():
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
