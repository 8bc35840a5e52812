"""Builds of the agent's own throwaway files: they try the project's code, and are no builds of the project."""

from __future__ import annotations

from ..events import BuildEvent, EditEvent, EventHead, Outcome, ReproductionEvent
from .ledger import Ledger


def builds_of_throwaway_files(ledger: Ledger) -> None:
    """Turn the builds of throwaway files into reproductions.

    A compiler that succeeds shows nothing about what the agent wanted to see, so their outcome is known only if they
    failed.
    """
    if not ledger.builds:
        return
    edits = [(e.path, ledger.edits[e.id].scratch) for e in ledger.events if isinstance(e, EditEvent)]
    for index, event in enumerate(ledger.events):
        if not isinstance(event, BuildEvent) or event.id not in ledger.builds:
            continue
        inputs = ledger.builds[event.id]
        own = [scratch for path, scratch in edits if any(path == i or path.startswith(i + "/") for i in inputs)]
        if own and all(own):
            outcome: Outcome = "unknown" if event.outcome == "passed" else event.outcome
            head: EventHead = {**ledger.head(event.position), "id": event.id}
            ledger.events[index] = ReproductionEvent(**head, command=event.command, exit_status=None, outcome=outcome)
