"""The stages of a long change: how many of a task's checkpoints were reached at states of their own."""

from __future__ import annotations

from msgspec import Struct

from ..tasks.task import Checkpoint
from .runner import Runner
from .session import ReplaySession

_SECONDS = 120.0


class _Reached(Struct):
    """Whether a checkpoint's check succeeds on a tree."""

    ok: bool


def merged_stages(session: ReplaySession) -> int | None:
    """Number of checkpoints that were reached together with another one; None: the task has none.

    A refactoring that is done as one state reaches all of them at once, and nobody could have built, tested or shipped
    what lies between.
    """
    task = session.task
    open_points = [c for c in task.checkpoints if c.check] if task is not None else []
    if len(open_points) < 2:
        return None
    found = {c.id: _is_reached(session, c, session.snapshots.final_tree) for c in open_points}
    open_points = [c for c in open_points if found[c.id]]
    reached, apart = len(open_points), 0
    for tree in dict.fromkeys(s.tree for s in (*session.snapshots.states, *session.snapshots.commits)):
        new = [c for c in open_points if _is_reached(session, c, tree)]
        apart += bool(new)
        open_points = [c for c in open_points if c not in new]
    return reached - apart


def _is_reached(session: ReplaySession, checkpoint: Checkpoint, tree: str) -> bool:
    check = checkpoint.check or ""

    def work(runner: Runner) -> _Reached:
        return _Reached(runner.command(check, _SECONDS).exit_status == 0)

    return session.cached(session.key("stage", tree, check), _Reached, tree, work).ok
