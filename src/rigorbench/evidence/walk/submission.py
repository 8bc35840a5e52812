"""The final diff that some logs state: it proves edits that no call shows."""

from __future__ import annotations

from ...trajectory.model import MAIN_LANE, FileChange, Trajectory
from ...trajectory.patches import unified
from ..episodes.attempts import WorkTree
from ..events import CommitEvent, EditEvent, Position, RunEvent, TestRunEvent
from .ledger import Ledger


def unexplained_changes(trajectory: Trajectory, ledger: Ledger) -> list[FileChange]:
    """The changes of the final diff to files that the agent edited and put back, by what the calls show.

    Other files of the diff may have been changed before the session began, or by a build.
    """
    text = trajectory.extra.get("submission")
    if not isinstance(text, str) or "\n@@" not in text:
        return []
    tree, touched = WorkTree(), set()
    for event in ledger.events:
        if isinstance(event, EditEvent) and ledger.edits[event.id].in_root:
            tree.edit(event, ledger.edits[event.id])
            touched.add(event.path)
        elif isinstance(event, CommitEvent):
            tree.commit(event)
    changes = [(change, ledger.path(change.path)) for change in unified(text)]
    return [change for change, path in changes if path in touched and tree.as_at_start(path)]


def place(ledger: Ledger) -> Position | None:
    """Where such changes were made, as far as one can say: in a program that may have written any file.

    It is the last one before the last test run, so that nothing counts as untested that may have been tested. None: no
    such program was run.
    """
    runs = [(n, e) for n, e in enumerate(ledger.events) if isinstance(e, RunEvent) and e.lane == MAIN_LANE]
    opaque = [(n, e) for n, e in runs if e.id not in ledger.effectless]
    tested = max((n for n, e in enumerate(ledger.events) if isinstance(e, TestRunEvent)), default=len(ledger.events))
    before = [e for n, e in opaque if n < tested] or [e for _, e in opaque]
    return before[-1].position if before else None
