"""The directory of recorded races."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from . import times
from .errors import RegattaError, UnknownRace
from .model import Race, Result


class Store:
    """Races in JSON files, one each; a file is read anew whenever its race is asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def races(self) -> list[Race]:
        """All races, in order of date and id."""
        found = [read_race(path) for path in self.directory.glob("*.json")]
        return sorted(found, key=lambda race: (race.date, race.id))

    def race(self, name: str) -> Race:
        """The race with an id.

        Raises:
            UnknownRace: there is none.
        """
        path = self.directory / f"{name}.json"
        if "/" in name or name.startswith(".") or not path.is_file():
            raise UnknownRace(f"no race {name!r}")
        return read_race(path)


def read_race(path: Path) -> Race:
    """The race of one file.

    Raises:
        RegattaError: the file is no race.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        results = tuple(_result(entry) for entry in document["results"])
        race = Race(path.stem, str(document["name"]), date.fromisoformat(document["date"]), results)
    except (KeyError, TypeError, ValueError) as error:
        raise RegattaError(f"{path.name}: {error}") from None
    crews = [result.crew for result in race.results]
    twice = next((crew for crew in crews if crews.count(crew) > 1), None)
    if twice is not None:
        raise RegattaError(f"{path.name}: {twice} appears twice")
    return race


def _result(entry: dict[str, Any]) -> Result:
    time = entry["time"]
    return Result(str(entry["crew"]), str(entry["club"]), None if time is None else times.parse(time))
