"""Answers that are kept for a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class _Entry:
    value: Any
    stored: float


class TtlCache:
    """Values by key, each kept for ``ttl`` seconds by ``clock``."""

    def __init__(self, ttl: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        if ttl <= 0:
            raise ValueError("the time to live must be above 0")
        self._ttl = ttl
        self._clock = clock
        self._entries: dict[Hashable, _Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get_or_load(self, key: Hashable, load: Callable[[], Any]) -> Any:
        """The value that is kept for the key, or what ``load`` returns, which is kept from then on."""
        entry = self._entries.get(key)
        if entry is not None and self._clock() - entry.stored <= self._ttl:
            return entry.value
        value = load()
        self._entries[key] = _Entry(value, self._clock())
        return value

    def drop(self, key: Hashable) -> None:
        """Forget one key; it need not be there."""
        self._entries.pop(key, None)
