"""What shows a finding, for whoever has to act on it: what was said, what shows it, and what to run."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..evidence.events import AnyEvent, BuildEvent, ClaimEvent, LintEvent, TestRunEvent
from ..session.model import Source
from .findings import quote
from .model import Fired

_Check = TestRunEvent | BuildEvent | LintEvent


class Proof(Struct):
    """What shows a finding.

    Attributes:
        quote: the agent's words that it is about.
        shown_by: the event that shows it or decides, in one line; ``place``: where the log has it.
        command: the check to run to see for oneself.
    """

    quote: str | None
    shown_by: str | None
    place: Source | None
    command: str | None


def proof(finding: Fired, events: Mapping[str, AnyEvent]) -> Proof:
    """The proof of a finding. ``events``: those of the session, by id."""
    shown = [events[i] for i in finding.events if i in events]
    said = next((e for e in shown if isinstance(e, ClaimEvent)), None)
    deciding = next((e for e in shown if not isinstance(e, ClaimEvent)), None)
    command = said.check if said is not None else None
    if command is None:
        command = next((e.command for e in reversed(shown) if isinstance(e, _Check)), None)
    return Proof(
        said.text if said is not None else None,
        quote(deciding) if deciding is not None else None,
        deciding.source if deciding is not None else None,
        command,
    )
