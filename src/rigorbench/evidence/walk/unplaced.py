"""Finds the calls and the parts of a log of which no event shows the effect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...trajectory.model import (
    Ask,
    Edit,
    Finish,
    Other,
    Plan,
    Read,
    Search,
    ShellOutput,
    Spawn,
    ToolCall,
    Trajectory,
    Wait,
)
from ...trajectory.shapes import names_repository
from ..events import Position
from ..facts import Effect, Unplaced

# Words, rather than a key or the answer to a question.
_TYPED = re.compile(r"\w{2,}\W+\w{2,}|\w{4,}")
ANYTHING: frozenset[Effect] = frozenset(("edit", "read", "run"))


def unplaced_call(call: ToolCall, at: Position, *, has_results: bool) -> Unplaced | None:
    """What one call may have done unseen; None: its events show it, or it did nothing.

    ``has_results``: the log has results of calls, so that a call without one is not known to have ended.
    """
    result = call.result
    if call.observed is not None or (result is not None and result.denied):
        return None  # recorded, or refused
    if isinstance(call.action, Plan | Ask | Wait | Finish) or (isinstance(call.action, Other) and call.action.inert):
        return None
    may = ANYTHING
    if result is None and has_results:
        may = frozenset(("read",)) if isinstance(call.action, Read | Search) else ANYTHING
        why = f"a call of {call.name} that has no result"
    elif result is not None and result.is_error:
        return None
    elif isinstance(call.action, Other):
        why = f"the tool {call.name}"
    elif isinstance(call.action, ShellOutput) and _TYPED.search(call.action.stdin or ""):
        why = f"what {call.name} typed into a running program"
    elif isinstance(call.action, Edit) and names_repository(call.input):
        why = f"the tool {call.name}, in a repository elsewhere"
    elif isinstance(call.action, Spawn) and call.action.lane is None:
        why = "a sub-agent whose steps are elsewhere"
    else:
        return None
    return Unplaced(why, may, at.step, at.call, at.lane)


def lost_parts(trajectory: Trajectory) -> Iterator[Unplaced]:
    """The parts of a log that could not be read; what was recorded from outside shows all edits and runs."""
    if trajectory.recording is None and (trajectory.unread or trajectory.unread_calls):
        yield Unplaced("the parts of the log that could not be read", ANYTHING)
    last = max((n for n, s in enumerate(trajectory.steps) if s.role == "agent"), default=None)
    if last is not None and trajectory.end in ("limit", "error", "interrupted"):
        # What the agent was about to do is not held against it.
        yield Unplaced("the steps that the end of the run cut off", ANYTHING, last)


def understood(trajectory: Trajectory, unplaced: Sequence[Unplaced]) -> float | None:
    """The share of the calls of a session whose effect is known; None without calls."""
    calls = sum(len(step.calls) for step in trajectory.steps if step.role == "agent") + trajectory.unread
    unknown = sum(u.step is not None and not u.may.isdisjoint(("edit", "run")) for u in unplaced)
    return (calls - min(calls, unknown + trajectory.unread_calls + trajectory.unread)) / calls if calls else None
