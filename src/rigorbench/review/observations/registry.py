"""What an observation is, and all of them by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ...evidence.events import AnyEvent
from ..work import Work

Predicate = Callable[[Work], Sequence[AnyEvent] | bool | None]


class Observation(Struct, frozen=True):
    """What a session shows, or does not show."""

    see: Predicate
    otherwise: str
    """The words for a session that does not show it."""
    hidden: Callable[[Work], object] | None = None
    """Whether it may hold although the session does not show it, so that ``otherwise`` must not be said."""
    why: Callable[[Work], str] | None = None
    """The words for a given session."""

    def holds(self, work: Work) -> bool | None:
        found = self.see(work)
        return None if found is None else bool(found)

    def events(self, work: Work) -> Sequence[AnyEvent]:
        """The events that show it; empty if it does not hold, or no single event shows it."""
        found = self.see(work)
        return () if found is None or isinstance(found, bool) else found


_OBSERVATIONS: dict[str, Observation] = {}


def observation(
    otherwise: str, hidden: Callable[[Work], object] | None = None, why: Callable[[Work], str] | None = None
) -> Callable[[Predicate], Predicate]:
    """Register a predicate as an observation."""

    def register(see: Predicate) -> Predicate:
        _OBSERVATIONS[see.__name__.replace("_", "-")] = Observation(see, otherwise, hidden, why)
        return see

    return register


def all_observations() -> dict[str, Observation]:
    """Every observation by name."""
    return _OBSERVATIONS


def shown_or_open(shown: Sequence[AnyEvent], undecided: object) -> Sequence[AnyEvent] | None:
    """The events that show an observation; without any, None if it is open whether something does."""
    return shown or (None if undecided else ())
