"""The final diff that some logs state: it proves edits that no call shows."""

from __future__ import annotations

from ...session.model import MAIN_LANE, FileChange, Trajectory
from ...session.patches import unified
from ..episodes.attempts import WorkTree
from ..events import CommitEvent, EditEvent, Position, RunEvent, TestRunEvent
from .ledger import Ledger


def unexplained_changes(trajectory: Trajectory, ledger: Ledger) -> list[FileChange]:
    """The changes of the final diff to files that the agent edited and put back, by what the calls show.

    Other files of the diff may have been changed before the session began, or by a build; but where the calls show no
    edit that is left, all of it is the agent's.
    """
    text = trajectory.extra.get("submission")
    if not isinstance(text, str) or "\n@@" not in text:
        return []
    tree, touched = WorkTree(), set[str]()
    thrown_away = set[str]()
    for event in ledger.events:
        if isinstance(event, EditEvent) and ledger.edits[event.id].in_root:
            tree.edit(event, ledger.edits[event.id])
            touched.add(event.path)
            thrown_away |= {event.path} if ledger.edits[event.id].scratch else set()
        elif isinstance(event, CommitEvent):
            tree.commit(event)
    changes = [(change, ledger.path(change.path)) for change in unified(text)]
    if all(tree.as_at_start(path) for path in touched - thrown_away):
        return [change for change, _ in changes]
    return [change for change, path in changes if path in touched and tree.as_at_start(path)]


def place(ledger: Ledger) -> Position | None:
    """Where such changes were made, as far as one can say: in a program that may have written any file.

    It is the last one before the last test run, so that nothing counts as untested that may have been tested; where no
    such program was run, the last step of the agent. None: there is none.
    """
    runs = [(n, e) for n, e in enumerate(ledger.events) if isinstance(e, RunEvent) and e.lane == MAIN_LANE]
    opaque = [(n, e) for n, e in runs if e.id not in ledger.effectless]
    tested = max((n for n, e in enumerate(ledger.events) if isinstance(e, TestRunEvent)), default=len(ledger.events))
    before = [e for n, e in opaque if n < tested] or [e for _, e in opaque]
    if before:
        return before[-1].position
    steps = enumerate(ledger.trajectory.steps)
    last = max((n for n, s in steps if s.role == "agent" and s.lane == MAIN_LANE), default=None)
    return None if last is None else Position(last, None, MAIN_LANE, None, ledger.trajectory.steps[last].source)
