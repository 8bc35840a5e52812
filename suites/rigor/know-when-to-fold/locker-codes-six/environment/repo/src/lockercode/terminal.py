"""A terminal: a display, a keypad, and nothing else."""

from __future__ import annotations

from .alphabet import clean
from .code import decode
from .errors import CodeError


class Terminal:
    """The terminal of one station. ``width``: how many characters its display shows."""

    def __init__(self, station: int, width: int = 16) -> None:
        self.station, self.width = station, width
        self.shown = ""

    def press(self, key: str) -> str:
        """A key was pressed; returns what the display shows then."""
        character = clean(key)
        if len(self.shown) < self.width:
            self.shown += character
        return self.shown

    def enter(self) -> int:
        """The locker to open for the code on the display, which is empty afterwards.

        Raises:
            CodeError: it is no code, or one of another station.
        """
        typed, self.shown = self.shown, ""
        parcel = decode(typed)
        if parcel.station != self.station:
            raise CodeError(f"this parcel is at station {parcel.station}")
        return parcel.locker
