"""What is known of a crossing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .errors import NotFound


@dataclass(frozen=True)
class Booking:
    """``waiting``: it has no space yet."""

    number: int
    plate: str
    crossing: str
    waiting: bool = False


@dataclass(frozen=True)
class Manifest:
    """A crossing as it was at one moment; the longest waiting comes first."""

    crossing: str
    capacity: int
    booked: tuple[Booking, ...]
    waiting: tuple[Booking, ...]


@dataclass
class Deck:
    """The vehicles of one crossing: (number, plate) in the order in which they came."""

    crossing: str
    capacity: int
    booked: list[tuple[int, str]] = field(default_factory=list)
    waiting: list[tuple[int, str]] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return len(self.booked) >= self.capacity

    def add(self, number: int, plate: str) -> Booking:
        """Book a vehicle if there is a space, else let it wait."""
        waiting = self.full
        (self.waiting if waiting else self.booked).append((number, plate))
        return Booking(number, plate, self.crossing, waiting)

    def remove(self, number: int) -> Booking:
        """Take a vehicle off the crossing or off the waiting list."""
        for entries in (self.booked, self.waiting):
            for entry in entries:
                if entry[0] == number:
                    entries.remove(entry)
                    return Booking(number, entry[1], self.crossing, entries is self.waiting)
        raise NotFound(f"no booking {number} on {self.crossing}")

    def promote(self) -> list[Booking]:
        """Give free spaces to those who wait; returns whom."""
        promoted = []
        while self.waiting and not self.full:
            number, plate = self.waiting.pop(0)
            self.booked.append((number, plate))
            promoted.append(Booking(number, plate, self.crossing))
        return promoted

    def manifest(self) -> Manifest:
        return Manifest(
            self.crossing,
            self.capacity,
            tuple(Booking(number, plate, self.crossing) for number, plate in self.booked),
            tuple(Booking(number, plate, self.crossing, True) for number, plate in self.waiting),
        )

    def to_state(self) -> dict[str, Any]:
        return {"capacity": self.capacity, "booked": list(self.booked), "waiting": list(self.waiting)}

    @classmethod
    def from_state(cls, crossing: str, state: dict[str, Any]) -> Deck:
        booked, waiting = ([(int(n), str(p)) for n, p in state[key]] for key in ("booked", "waiting"))
        return cls(crossing, int(state["capacity"]), list(booked), list(waiting))
