"""What shows a finding, for whoever has to act on it: what was said, what shows it, and what to run."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..base.sanitize import one_line
from ..evidence.events import AnyEvent, BuildEvent, ClaimEvent, LintEvent, TestRunEvent
from ..session.model import Source
from .findings import quote
from .model import Fired

_Check = TestRunEvent | BuildEvent | LintEvent


class Proof(Struct):
    """What shows a finding."""

    quote: str | None
    """The agent's words that it is about."""
    shown_by: str | None
    """The event that shows it or decides, in one line."""
    place: Source | None
    """Where the log has that event."""
    command: str | None
    """The check to run to see for oneself."""


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


def finding_lines(finding: Fired, events: Mapping[str, AnyEvent], mark: str = "") -> list[str]:
    """What was found, the words it is about, the event that decides, what to run, what to do.

    Args:
        events: those of the session, by id.
        mark: stands before the first line; the others are indented.
    """
    shown = proof(finding, events)
    lines = [f"{mark}{finding.id}: {one_line(finding.message, 400)}"]
    if shown.quote is not None and one_line(shown.quote, 100)[:60] not in lines[0]:
        lines.append(f"   said: {one_line(shown.quote, 200)}")
    if shown.shown_by is not None:
        line = f" (line {shown.place.line} of the log)" if shown.place is not None and shown.place.line else ""
        lines.append(f"   shown by: {one_line(shown.shown_by, 300)}{line}")
    if shown.command is not None:
        lines.append(f"   run: {one_line(shown.command, 300)}")
    if finding.advice is not None:
        lines.append(f"   do: {finding.advice}")
    return lines
