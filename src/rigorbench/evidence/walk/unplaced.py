"""Finds the calls and the parts of a log of which no event shows the effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...trajectory.model import Other, Spawn, ToolCall, Trajectory
from ..events import Position
from ..facts import Effect, Unplaced

ANYTHING: frozenset[Effect] = frozenset(("edit", "read", "run"))


def unplaced_call(call: ToolCall, at: Position, *, has_results: bool) -> Unplaced | None:
    """What one call may have done unseen; None: its events show it, or it did nothing.

    ``has_results``: the log has results of calls, so that a call without one is not known to have ended.
    """
    result = call.result
    if call.observed is not None or (result is not None and result.denied):
        return None  # recorded, or refused
    if result is None and has_results:
        why = f"a call of {call.name} that has no result"
    elif isinstance(call.action, Other) and not (result is not None and result.is_error):
        why = f"the tool {call.name}"
    elif isinstance(call.action, Spawn) and call.action.lane is None and not (result is not None and result.is_error):
        why = "a sub-agent whose steps are elsewhere"
    else:
        return None
    return Unplaced(why, ANYTHING, at.step, at.call, at.lane)


def lost_parts(trajectory: Trajectory) -> Iterator[Unplaced]:
    """The parts of a log that could not be read; what was recorded from outside shows all edits and runs."""
    if next((s.role for s in trajectory.steps if s.role in ("agent", "compaction")), "") == "compaction":
        yield Unplaced("the part of the session before the log begins", frozenset(("read",)))
    if trajectory.recording is None and (trajectory.unread or trajectory.unread_calls):
        yield Unplaced("the parts of the log that could not be read", ANYTHING)


def understood(trajectory: Trajectory, unplaced: Sequence[Unplaced]) -> float | None:
    """The share of the calls of a session whose effect is known; None without calls."""
    calls = sum(len(step.calls) for step in trajectory.steps if step.role == "agent") + trajectory.unread
    unknown = sum(u.step is not None and not u.may.isdisjoint(("edit", "run")) for u in unplaced)
    return (calls - min(calls, unknown + trajectory.unread_calls + trajectory.unread)) / calls if calls else None
