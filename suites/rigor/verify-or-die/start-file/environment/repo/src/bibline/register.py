"""Everybody who runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .errors import EntryError

HIGHEST_BIB = 99999
YEARS = range(1900, 2100)


@dataclass(frozen=True)
class Runner:
    bib: int
    name: str
    club: str
    year: int

    def __post_init__(self) -> None:
        if not 1 <= self.bib <= HIGHEST_BIB:
            raise EntryError(f"no bib number: {self.bib}")
        if not self.name.strip():
            raise EntryError(f"bib {self.bib} has no name")
        if self.year not in YEARS:
            raise EntryError(f"bib {self.bib}: no year of birth: {self.year}")


class Register:
    """Runners by bib number."""

    def __init__(self, runners: Iterable[Runner] = ()) -> None:
        self._runners: dict[int, Runner] = {}
        for runner in runners:
            self.add(runner)

    def __len__(self) -> int:
        return len(self._runners)

    def __iter__(self) -> Iterator[Runner]:
        """By bib number."""
        return iter(sorted(self._runners.values(), key=lambda runner: runner.bib))

    def get(self, bib: int) -> Runner | None:
        return self._runners.get(bib)

    def add(self, runner: Runner) -> None:
        """Enter somebody.

        Raises:
            EntryError: the bib number is taken, or this person is entered already.
        """
        if runner.bib in self._runners:
            raise EntryError(f"bib {runner.bib} is taken")
        for other in self:
            if other.name == runner.name and other.year == runner.year:
                raise EntryError(f"{runner.name} ({runner.year}) is entered already, with bib {other.bib}")
        self._runners[runner.bib] = runner

    def find(self, name: str) -> list[Runner]:
        """Everybody of this name, by bib number."""
        return [runner for runner in self if runner.name.lower() == name.lower()]
