"""The desk: everything that a counter can do."""

from __future__ import annotations

from .errors import DeskError, Full, NotFound
from .listeners import Listener, Listeners
from .model import Booking, Deck, Manifest
from .numbers import KEY, Numbers
from .store import Store


class Desk:
    """Bookings on the crossings that a store holds. Counters call it from threads of their own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers = Numbers(store)
        self._listeners = Listeners()

    def listen(self, listener: Listener) -> None:
        """Have a listener told of every change from now on."""
        self._listeners.add(listener)

    def open(self, crossing: str, capacity: int) -> None:
        """Open a crossing for bookings."""
        _check_capacity(capacity)
        if crossing == KEY:
            raise DeskError(f"not a name for a crossing: {crossing!r}")
        if self._store.load(crossing) is not None:
            raise DeskError(f"{crossing} is open already")
        self._save(Deck(crossing, capacity))

    def book(self, crossing: str, plate: str) -> Booking:
        """Book a vehicle; if the crossing is full, it waits."""
        deck = self._load(crossing)
        booking = deck.add(self._numbers.draw(), plate)
        self._save(deck)
        self._listeners.tell("waiting" if booking.waiting else "booked", booking)
        return booking

    def cancel(self, crossing: str, number: int) -> Booking:
        """Take a vehicle off a crossing or off its waiting list."""
        deck = self._load(crossing)
        booking = deck.remove(number)
        self._save(deck)
        self._listeners.tell("cancelled", booking)
        self._promote(crossing)
        return booking

    def move(self, number: int, source: str, target: str) -> Booking:
        """Move a vehicle that has a space to another crossing.

        Raises:
            Full: the other crossing has no space for it.
        """
        deck = self._load(source)
        booking = deck.remove(number)
        if booking.waiting:
            raise DeskError(f"booking {number} has no space that it could leave")
        self._save(deck)
        other = self._load(target)
        if other.full:
            deck = self._load(source)
            deck.booked.append((number, booking.plate))
            self._save(deck)
            raise Full(f"no space on {target}")
        moved = other.add(number, booking.plate)
        self._save(other)
        self._listeners.tell("moved", moved)
        self._promote(source)
        return moved

    def resize(self, crossing: str, capacity: int) -> None:
        """Change the number of spaces."""
        _check_capacity(capacity)
        deck = self._load(crossing)
        deck.capacity = capacity
        self._save(deck)
        self._promote(crossing)

    def manifest(self, crossing: str) -> Manifest:
        """Who is on a crossing and who waits."""
        return self._load(crossing).manifest()

    def _promote(self, crossing: str) -> None:
        deck = self._load(crossing)
        promoted = deck.promote()
        if promoted:
            self._save(deck)
        for booking in promoted:
            self._listeners.tell("promoted", booking)

    def _load(self, crossing: str) -> Deck:
        state = None if crossing == KEY else self._store.load(crossing)
        if state is None:
            raise NotFound(f"no crossing {crossing}")
        return Deck.from_state(crossing, state)

    def _save(self, deck: Deck) -> None:
        self._store.save(deck.crossing, deck.to_state())


def _check_capacity(capacity: int) -> None:
    if capacity < 0:
        raise DeskError(f"a crossing cannot have {capacity} spaces")
