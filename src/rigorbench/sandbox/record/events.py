"""One file descriptor for the supervisor's loop, behind which are all files that the recorder waits for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import struct
from collections.abc import Callable
from functools import partial

_LIBC = ctypes.CDLL(None, use_errno=True)
_MONOTONIC = 1
_DELAY = 4_000_000  # nanoseconds

IN, OUT, ERROR = select.EPOLLIN, select.EPOLLOUT, select.EPOLLERR | select.EPOLLHUP


class Events:
    """A set of watched files. A handler gets the mask of the events; it may be called for an event that is over.

    ``failed`` is called with what a handler raises, whose file is then no longer watched; without it that is raised.
    """

    def __init__(self, failed: Callable[[Exception], None] | None = None) -> None:
        self._failed = failed
        self._epoll = select.epoll()
        self._handlers: dict[int, Callable[[int], None]] = {}
        self._later: list[Callable[[], None]] = []
        self._timer = int(_LIBC.timerfd_create(_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC))
        if self._timer >= 0:
            self.watch(self._timer, IN, self._due)

    def later(self, action: Callable[[], None]) -> None:
        """Call ``action`` in a few milliseconds."""
        if self._timer < 0:
            action()
            return
        if not self._later:
            _LIBC.timerfd_settime(self._timer, 0, struct.pack("4q", 0, 0, 0, _DELAY), None)
        self._later.append(action)

    def _due(self, mask: int) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._timer, 8)
            actions, self._later = self._later, []
            for action in actions:
                self._guarded(action, None)

    def fileno(self) -> int:
        return self._epoll.fileno()

    def watch(self, fd: int, mask: int, handler: Callable[[int], None]) -> None:
        """Watch a file. Errors and hang-ups are reported whatever the mask."""
        if fd in self._handlers:
            self._epoll.modify(fd, mask)
        else:
            self._epoll.register(fd, mask)
        self._handlers[fd] = handler

    def drop(self, fd: int) -> None:
        """Stop watching, before the file is closed."""
        if self._handlers.pop(fd, None) is not None:
            with contextlib.suppress(OSError):
                self._epoll.unregister(fd)

    def run(self) -> int:
        """Handle the present events, without waiting; their number."""
        reports = self._epoll.poll(0, 64)
        for fd, mask in reports:
            handler = self._handlers.get(fd)
            if handler is not None:
                self._guarded(partial(handler, mask), fd)
        return len(reports)

    def _guarded(self, action: Callable[[], None], fd: int | None) -> None:
        try:
            action()
        except Exception as error:
            if self._failed is None:
                raise
            if fd is not None:
                self.drop(fd)  # it would be ready again at once, and fail again
            self._failed(error)

    def close(self) -> None:
        self._handlers.clear()
        self._later.clear()
        if self._timer >= 0:
            os.close(self._timer)
            self._timer = -1
        self._epoll.close()
