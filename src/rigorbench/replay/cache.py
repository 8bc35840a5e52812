"""Results of builds and test runs on disk, by tree, command and environment."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def default_directory() -> Path:
    """``$XDG_CACHE_HOME/rigorbench/replay`` (``~/.cache`` by default)."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "rigorbench" / "replay"


class Cache:
    """A cache of results in files. A damaged entry is a miss; an unwritable cache stays empty.

    Attributes:
        misses: number of results that were not in the cache.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.misses = 0

    def _path(self, key: tuple[str, ...]) -> Path:
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return self.directory / digest[:2] / f"{digest[2:]}.json"

    def get(self, key: tuple[str, ...], kind: type[T]) -> T | None:
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError):
            self.misses += 1
            return None

    def put(self, key: tuple[str, ...], value: object) -> None:
        """Write atomically: a reader sees the whole entry or none. What has names that JSON cannot hold is not kept."""
        path = self._path(key)
        try:
            data = msgspec.json.encode(value)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except (OSError, UnicodeEncodeError):
            return
