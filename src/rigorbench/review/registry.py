"""The checks, by id. A check is a function in ``checks/`` with the decorator :func:`check`; nothing else lists it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from ..evidence.events import AnyEvent
from .model import CheckPillar, Severity
from .work import Work


class Seen(Struct):
    """One occurrence of what a check looks for: a sentence, and the events that show it."""

    message: str
    events: Sequence[AnyEvent]


Rule = Callable[[Work], Iterable[Seen]]


class Check(Struct, frozen=True):
    """A check.

    Attributes:
        id: pillar letter and name, e.g. "V-ended-on-red".
        sentence: what it says of a session in which it fires.
        did: what the agent did, in words that follow "The agent".
        applies: to which sessions it applies, in words.
        advice: one line that could be in the agent's instructions; None for a strength.
        blind: what it cannot see.
        of_the_end: it is about how the agent left its work, so a session that it did not end does not show it.
    """

    id: str
    pillar: CheckPillar
    severity: Severity
    sentence: str
    did: str
    applies: str
    advice: str | None
    blind: str
    rule: Rule
    of_the_end: bool = False


_CHECKS: dict[str, Check] = {}


def check(
    id: str,
    *,
    pillar: CheckPillar,
    severity: Severity,
    sentence: str,
    did: str,
    applies: str,
    blind: str,
    advice: str | None = None,
    of_the_end: bool = False,
) -> Callable[[Rule], Rule]:
    """Register a rule as a check."""

    def register(rule: Rule) -> Rule:
        if id in _CHECKS:
            raise ValueError(f"two checks are called {id}")
        if (advice is None) != (severity == "strength"):
            raise ValueError(f"{id}: a strength has no advice, any other check has one")
        _CHECKS[id] = Check(id, pillar, severity, sentence, did, applies, advice, blind, rule, of_the_end)
        return rule

    return register


def registered() -> dict[str, Check]:
    """The checks of the modules that have been imported, by id."""
    return dict(_CHECKS)
