"""Parcels, and the ranges of what is known about them."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import CodeError

# How many there can be of each; all of them are in use. Numbers start at 0.
STATIONS = 4096
LOCKERS = 64
DAYS = 366
SERIALS = 8192

RANGES = {"station": STATIONS, "locker": LOCKERS, "day": DAYS, "serial": SERIALS}


@dataclass(frozen=True)
class Parcel:
    """A parcel in a locker: the serial number counts the parcels of a station."""

    station: int
    locker: int
    day: int
    serial: int

    def __post_init__(self) -> None:
        for name, count in RANGES.items():
            number = getattr(self, name)
            if not 0 <= number < count:
                raise CodeError(f"{name} {number} is not between 0 and {count - 1}")
