"""Those who want to know what happens at the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .model import Booking

Kind = Literal["booked", "waiting", "cancelled", "moved", "promoted"]


@dataclass(frozen=True)
class Event:
    """``promoted``: somebody who waited has got a space. ``moved``: the booking is as it is after the move."""

    kind: Kind
    booking: Booking


Listener = Callable[[Event], None]


class Listeners:
    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def add(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def tell(self, kind: Kind, booking: Booking) -> None:
        for listener in self._listeners:
            listener(Event(kind, booking))
