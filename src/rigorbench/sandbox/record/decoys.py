"""Watches directories that a program has no reason to open except to look for the hidden tests or the grader."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Mapping
from typing import Final

from .events import IN, Events
from .writer import text

_LIBC = ctypes.CDLL(None, use_errno=True)
_KINDS: Final = {
    0x1: "read", 0x2: "write", 0x4: "attributes", 0x20: "open", 0x40: "move", 0x80: "move", 0x100: "create",
    0x200: "delete", 0x400: "delete",
}  # fmt: skip
_MASK: Final = 0x1 | 0x2 | 0x4 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400
_OVERFLOW: Final = 0x4000
_HEADER: Final = struct.Struct("iIII")


class Decoys:
    """Watches ``directories``, {path inside: open directory}; calls ``opened(path inside, access)`` for each access.

    The directories are closed: the watch needs them no longer.

    ``missing``: {path inside: why it cannot be watched}.
    """

    def __init__(self, events: Events, directories: Mapping[str, int], opened: Callable[[str, str], None]) -> None:
        self.missing: dict[str, str] = {}
        self._opened = opened
        self._events = events
        self._watches: dict[int, str] = {}
        self.fd = int(_LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        for inside, directory in directories.items():
            place = b"/proc/self/fd/%d" % directory
            watch = int(_LIBC.inotify_add_watch(self.fd, place, _MASK)) if self.fd >= 0 else -1
            if watch < 0:
                self.missing[inside] = os.strerror(ctypes.get_errno())
            else:
                self._watches[watch] = inside
            os.close(directory)
        if self.fd >= 0:
            events.watch(self.fd, IN, self._ready)

    def _ready(self, mask: int) -> None:
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return
        at = 0
        found: dict[tuple[str, str], None] = {}  # in order, each once: reading a directory makes a dozen reports
        while at < len(data):
            watch, kind, _, size = _HEADER.unpack_from(data, at)
            name = data[at + _HEADER.size : at + _HEADER.size + size].rstrip(b"\0")
            at += _HEADER.size + size
            directory = "a decoy" if kind & _OVERFLOW else self._watches.get(watch)
            if directory is not None:
                access = next((word for bit, word in _KINDS.items() if kind & bit), "open")
                found[f"{directory}/{text(name)}" if name else directory, access] = None
        for path, access in found:
            self._opened(path, access)

    def close(self) -> None:
        if self.fd >= 0:
            self._events.drop(self.fd)
            os.close(self.fd)
            self.fd = -1
