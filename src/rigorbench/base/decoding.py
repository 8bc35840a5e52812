"""JSON decoders, one a type, made under a lock."""

from __future__ import annotations

import functools
import threading
from typing import Any

import msgspec

_LOCK = threading.Lock()


def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type, for code that threads run.

    msgspec 0.22 notes a type's fields at its first use, and crashes the process where two threads do that at once.
    """
    with _LOCK:
        return _made(kind)


@functools.cache
def _made(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
