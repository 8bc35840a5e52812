"""Making and checking seals."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

from .keyring import Key, Keyring
from .record import Record


def seal(record: Record, key: Key) -> Record:
    """The record with a seal under a key, in place of the one that it may have."""
    return replace(record, key=key.id, seal=_mac(record, key))


def is_right(record: Record, keyring: Keyring) -> bool:
    """Whether the seal of a record is right.

    Raises:
        UnknownKey: its key is not in the ring, so that nobody can tell.
    """
    return hmac.compare_digest(_mac(record, keyring.key(record.key)), record.seal)


def _mac(record: Record, key: Key) -> str:
    return hmac.new(key.secret, record.sealed_text().encode("utf-8"), hashlib.sha256).hexdigest()
