"""The checks, a few of one kind in a module; a module here is registered by being here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from ...evidence.events import AnyEvent
from ..review import CheckPillar, Severity
from ..work import Work


class Seen(Struct):
    """One occurrence of what a check looks for: a sentence, and the events that show it."""

    message: str
    events: Sequence[AnyEvent]


Rule = Callable[[Work], Iterable[Seen]]


class Check(Struct):
    """A check; as a decorator it registers its rule."""

    id: str
    """Pillar letter and name, e.g. "V-ended-on-red"."""
    pillar: CheckPillar
    severity: Severity
    sentence: str
    """What it says of a session in which it fires."""
    did: str
    """What the agent did, in words that follow "The agent"."""
    applies: str
    """To which sessions it applies, in words."""
    blind: str
    """What it cannot see."""
    advice: str | None = None
    """One line that could be in the agent's instructions; None for a strength."""
    of_the_end: bool = False
    """It is about how the agent left its work, so a session that it did not end does not show it."""
    rule: Rule = lambda _: ()

    def __call__(self, rule: Rule) -> Rule:
        if self.id in CHECKS:
            raise ValueError(f"two checks are called {self.id}")
        if (self.advice is None) != (self.severity == "strength"):
            raise ValueError(f"{self.id}: a strength has no advice, any other check has one")
        CHECKS[self.id] = self
        self.rule = rule
        return rule


CHECKS: dict[str, Check] = {}
