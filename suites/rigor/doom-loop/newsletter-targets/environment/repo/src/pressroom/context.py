"""What a build has at hand: the directory, the look-up of files, and somebody to tell about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import globs
from .errors import PressError


class Context:
    """Given to kinds and extras. Extras may replace what it does, and add to ``listeners``."""

    def __init__(self, root: Path, log: Callable[[str], None] = lambda line: None) -> None:
        self.root = root
        self.log = log
        self.expand: Callable[[str], list[str]] = self._expand
        self.read: Callable[[str], str] = self._read
        self.write: Callable[[str, str], None] = self._write
        # Called with the name of each target and whether it was built.
        self.listeners: list[Callable[[str, bool], None]] = []

    def _expand(self, pattern: str) -> list[str]:
        return globs.expand(self.root, pattern, self.log)

    def _read(self, name: str) -> str:
        """The text of a file of the project."""
        self.log(f"read {name}")
        try:
            return (self.root / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise PressError(f"{name}: no such file") from None

    def _write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def tell(self, target: str, built: bool) -> None:
        for listener in self.listeners:
            listener(target, built)
