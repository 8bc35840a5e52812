"""Results of builds and test runs on disk, by tree, command and environment."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import TypeVar

import msgspec

from ...base.cache import cache_directory
from ...base.files import read_json, replace_file

T = TypeVar("T")


def default_directory() -> Path:
    """``$XDG_CACHE_HOME/rigorbench/bench/replay`` (``~/.cache`` by default)."""
    return cache_directory().with_name("replay")


class Cache:
    """A cache of results in files. A damaged entry is a miss; an unwritable cache stays empty."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.misses = 0

    def _path(self, key: tuple[str, ...]) -> Path:
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return self.directory / digest[:2] / f"{digest[2:]}.json"

    def get(self, key: tuple[str, ...], kind: type[T]) -> T | None:
        found = read_json(self._path(key), kind)
        self.misses += found is None
        return found

    def put(self, key: tuple[str, ...], value: object) -> None:
        """Write the whole entry or none. What has names that JSON cannot hold is not kept."""
        with contextlib.suppress(OSError, UnicodeEncodeError):
            replace_file(self._path(key), msgspec.json.encode(value), mode=0o600)
