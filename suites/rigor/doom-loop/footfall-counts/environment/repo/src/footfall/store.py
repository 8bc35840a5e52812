"""Keeps counts, and what was counted, in a directory."""

from __future__ import annotations

import json
from pathlib import Path

from .counts import Counts
from .errors import FootfallError
from .seen import Seen


class Store:
    """A store, open for reading and importing. Nothing is on the disk before :meth:`save`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.counts, self.seen = Counts(), Seen()
        if (directory / "counts.json").exists():
            self.counts = Counts(self._read("counts.json"))
            self.seen = Seen.load(self._read("seen.json"))

    def _read(self, name: str):  # type: ignore[no-untyped-def]
        try:
            return json.loads((self.directory / name).read_text())
        except (OSError, ValueError):
            raise FootfallError(f"{self.directory / name}: cannot be read; make the store anew from the logs") from None

    def save(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        for name, content in (("seen.json", self.seen.dump()), ("counts.json", self.counts.tables)):
            half = self.directory / (name + ".new")
            half.write_text(json.dumps(content, sort_keys=True))
            half.replace(self.directory / name)
