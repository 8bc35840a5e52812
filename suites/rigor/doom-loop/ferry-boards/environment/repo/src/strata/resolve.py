"""Finds out what the ``${name}`` in texts stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import SettingsError
from .parser import Text

_USE = re.compile(r"\$\$\{|\$\{([^}]*)\}")


class Resolver:
    """Resolves each name once, from the values that all layers have left."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values
        self._done: dict[str, object] = {}
        self._open: list[str] = []

    def value_of(self, name: str) -> object:
        """The value of a name that is set."""
        if name not in self._done:
            self._open.append(name)
            self._done[name] = self._resolved(self._values[name])
            self._open.pop()
        return self._done[name]

    def _resolved(self, value: object) -> object:
        if isinstance(value, Text):
            return _USE.sub(lambda match: self._used(match, value), value.value)
        if isinstance(value, list):
            return [self._resolved(part) for part in value]
        if isinstance(value, dict):
            return {key: self._resolved(part) for key, part in value.items()}
        return value

    def _used(self, match: re.Match[str], text: Text) -> str:
        name = match[1]
        if name is None:
            return "${"
        if name not in self._values:
            raise SettingsError(text.place, f"${{{name}}} is not set")
        if name in self._open:
            raise SettingsError(text.place, f"${{{name}}} stands for a text that it is part of")
        value = self.value_of(name)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list | dict):
            raise SettingsError(text.place, f"${{{name}}} is no text and no number")
        return str(value)
