"""The answers of readers about the points that scores rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..base.points import JudgedPoint

if TYPE_CHECKING:
    from .reader.reading import Reading


class JudgedPoints(Struct, frozen=True):
    """The answers about one session."""

    points: dict[str, JudgedPoint]
    """By key."""
    by: list[str]
    """Who answered; empty: rules did."""
    estimated: bool = False
    """Rules answered, by features of the texts."""

    def majority(self, key: str) -> bool | None:
        """What most say; None: undecided, or it was not asked."""
        found = self.points.get(key)
        return None if found is None else found.majority

    def said(self, key: str) -> list[bool | None]:
        """What each answer says; empty: it was not asked."""
        found = self.points.get(key)
        return [] if found is None else found.said

    def has(self, *ids: str) -> bool:
        """Whether each of these points was asked."""
        return set(ids) <= {key.partition("/")[0] for key in self.points}

    def of(self, number: int) -> dict[str, bool | None]:
        """What one of the answers says, by key."""
        return {key: point.said[number] for key, point in self.points.items()}


def of_reading(reading: Reading | None) -> JudgedPoints | None:
    """What a reading says of the points; None: it was not asked about any."""
    if reading is None or not reading.points:
        return None
    return JudgedPoints({point.key: point for point in reading.points}, reading.by)
