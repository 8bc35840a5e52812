"""Where crossings are kept: small tables by key."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Protocol

from .errors import DeskError

_KEY = re.compile(r"[a-z0-9][a-z0-9-]*")


class Store(Protocol):
    """One call is one access to one key; a store does nothing about calls that come at the same time."""

    def load(self, key: str) -> dict[str, Any] | None:
        """What was saved last under the key, None if nothing was. The caller may change it."""

    def save(self, key: str, state: dict[str, Any]) -> None: ...


class MemoryStore:
    """For trials and tests; whatever is saved has to fit into JSON, as in a file."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def load(self, key: str) -> dict[str, Any] | None:
        text = self._texts.get(key)
        return None if text is None else json.loads(text)

    def save(self, key: str, state: dict[str, Any]) -> None:
        self._texts[key] = json.dumps(state)


class FileStore:
    """One JSON file per key in a directory. A file is replaced as a whole, so that nobody reads half of one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def load(self, key: str) -> dict[str, Any] | None:
        try:
            return json.loads(self._path(key).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def save(self, key: str, state: dict[str, Any]) -> None:
        path = self._path(key)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(state), encoding="utf-8")
        os.replace(draft, path)

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise DeskError(f"not a name for a crossing: {key!r}")
        return self._directory / f"{key}.json"
