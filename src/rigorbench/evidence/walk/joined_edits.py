"""Several commands of one call that change the same file one after the other make one edit of it."""

from __future__ import annotations

from ...session.model import FileChange
from ..events import EditEvent
from ..facts import EditFacts
from .ledger import Ledger


def join_edits(ledger: Ledger, first: int) -> list[EditEvent]:
    """Join neighbouring edits of one file among the events from ``first`` on: three calls of sed are one change.

    Returns:
        The edits that are no events of their own any more.
    """
    kept: list[EditEvent] = []
    dropped: list[EditEvent] = []
    for event in ledger.events[first:]:
        last = kept[-1] if kept else None
        if last is not None and isinstance(event, EditEvent) and _continues(ledger, last, event):
            _join(ledger.edits[last.id], ledger.edits.pop(event.id))
            last.symbols = list(dict.fromkeys([*last.symbols, *event.symbols]))
            dropped.append(event)
        elif isinstance(event, EditEvent):
            kept.append(event)
        else:
            kept.clear()
    if dropped:
        gone = {e.id for e in dropped}
        ledger.events[first:] = [e for e in ledger.events[first:] if e.id not in gone]
    return dropped


def _continues(ledger: Ledger, last: EditEvent, event: EditEvent) -> bool:
    before, after = ledger.edits[last.id].change, ledger.edits[event.id].change
    return (
        last.path == event.path
        and last.operation == event.operation == "modify"
        and bool(before.hunks) == bool(after.hunks)
        and before.replace_all == after.replace_all
        and _is_plain(before)
        and _is_plain(after)
    )


def _is_plain(change: FileChange) -> bool:
    """Whether the hunks of a change, each of which replaces one text, are all of it: such can be put in a row."""
    return change.after is None and change.at_line is None and all(o for o, _ in change.hunks)


def _join(facts: EditFacts, more: EditFacts) -> None:
    facts.change.hunks = [*facts.change.hunks, *more.change.hunks]
    facts.layout = facts.layout and more.layout
    facts.tests = [*facts.tests, *more.tests]
    facts.removed_tests = [*facts.removed_tests, *more.removed_tests]
    facts.weakened_tests = [*facts.weakened_tests, *more.weakened_tests]
    facts.debug_leftovers = [*facts.debug_leftovers, *more.debug_leftovers]
