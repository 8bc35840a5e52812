"""Loads a settings file with all that it includes."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import Place, SettingsError
from .parser import Append, Assign, Include, parse
from .settings import Settings
from .source import statements


def load(path: Path) -> Settings:
    """The settings of a file. In messages files are named relative to the directory of this one.

    Raises:
        SettingsError: a file cannot be used.
    """
    settings = Settings()
    _Loader(settings, path.parent).file(path, Place(path.name, 1))
    return settings


class _Loader:
    def __init__(self, settings: Settings, base: Path) -> None:
        self._settings, self._base = settings, base
        self._open: list[Path] = []

    def file(self, path: Path, place: Place) -> None:
        """Load a file that `place` asks for."""
        name = Path(os.path.relpath(path, self._base)).as_posix()
        real = path.resolve()
        if real in self._open:
            raise SettingsError(place, f"{name} includes itself")
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SettingsError(place, f"{name}: {error.strerror}") from None
        self._open.append(real)
        for statement in statements(name, text):
            said = parse(statement)
            if isinstance(said, Assign):
                self._settings.assign(said)
            elif isinstance(said, Append):
                self._settings.append(said)
            else:
                self._include(said, path.parent)
        self._open.pop()

    def _include(self, include: Include, directory: Path) -> None:
        found = sorted(path for path in directory.glob(include.pattern) if path.is_file())
        if not found:
            raise SettingsError(include.place, f"include: no file matches {include.pattern!r}")
        for path in found:
            self.file(path, include.place)
