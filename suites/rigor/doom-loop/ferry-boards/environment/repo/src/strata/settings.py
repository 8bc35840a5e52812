"""The settings that the layers make together."""

from __future__ import annotations

from .errors import Place, SettingsError
from .parser import Append, Assign
from .resolve import Resolver


class Settings:
    """Names with their values; what is said later wins."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {}
        self._places: dict[str, Place] = {}

    def assign(self, statement: Assign) -> None:
        self._values[statement.name] = statement.value
        self._places[statement.name] = statement.place

    def append(self, statement: Append) -> None:
        before = self._values.get(statement.name)
        if before is None:
            raise SettingsError(statement.place, f"{statement.name} is not set yet; there is nothing to add to")
        if not isinstance(before, list):
            raise SettingsError(statement.place, f"{statement.name} is no list")
        self._values[statement.name] = [*before, *statement.values]
        self._places[statement.name] = statement.place

    def origin(self, name: str) -> Place | None:
        """The line that has set a name, or added to it last."""
        return self._places.get(name)

    def resolved(self) -> dict[str, object]:
        """All settings in the order of their names, with the values that their texts stand for.

        Raises:
            SettingsError: a text uses a name that is not set, or that it is part of.
        """
        resolver = Resolver(self._values)
        return {name: resolver.value_of(name) for name in sorted(self._values)}
