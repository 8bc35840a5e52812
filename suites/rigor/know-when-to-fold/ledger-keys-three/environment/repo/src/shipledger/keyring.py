"""The keys that seals are made with."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from .errors import LedgerError, UnknownKey


@dataclass(frozen=True)
class Key:
    """A key; ``since``: the day from which on new records carry it."""

    id: str
    secret: bytes
    since: date


class Keyring:
    """Keys by their id."""

    def __init__(self, keys: list[Key]) -> None:
        if not keys:
            raise LedgerError("a keyring needs a key")
        self._keys = {key.id: key for key in keys}

    def __contains__(self, name: str) -> bool:
        return name in self._keys

    def key(self, name: str) -> Key:
        """The key with an id.

        Raises:
            UnknownKey: it is not in the ring.
        """
        try:
            return self._keys[name]
        except KeyError:
            raise UnknownKey(f"the key {name} is not in the ring") from None

    @property
    def newest(self) -> Key:
        """The key that seals what is appended."""
        return max(self._keys.values(), key=lambda key: (key.since, key.id))


def read_keyring(path: Path) -> Keyring:
    """The keys of a file.

    Raises:
        LedgerError: the file is no keyring.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        keys = [
            Key(name, bytes.fromhex(entry["secret"]), entry["since"])
            for name, entry in document.get("keys", {}).items()
        ]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise LedgerError(f"{path}: {error}") from None
    if any(len(key.secret) != 32 for key in keys):
        raise LedgerError(f"{path}: a secret has 32 bytes")
    return Keyring(keys)
