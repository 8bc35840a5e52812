"""Finds the calls and the parts of a log of which no event shows the effect."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...session.model import (
    MAIN_LANE,
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
from ...session.shapes import names_repository
from ..events import Position
from ..facts import Effect, Unplaced

# Words, rather than a key or the answer to a question.
_TYPED = re.compile(r"\w{2,}\W+\w{2,}|\w{4,}")
ANYTHING: frozenset[Effect] = frozenset(("edit", "read", "run"))


def unplaced_call(call: ToolCall, at: Position, *, has_results: bool) -> Unplaced | None:
    """What one call may have done unseen; None: its events show it, or it did nothing.

    ``has_results``: the log has results of calls, so that a call without one is not known to have ended.
    """
    result, action = call.result, call.action
    if call.observed is not None or isinstance(action, Plan | Ask | Wait | Finish):
        return None
    if (result is not None and (result.denied or result.is_error)) or (isinstance(action, Other) and action.inert):
        return None
    may = ANYTHING
    if result is None and has_results:
        why = f"a call of {call.name} that has no result"
        may = frozenset(("read",)) if isinstance(action, Read | Search) else ANYTHING
    elif isinstance(action, Other):
        why = f"the tool {call.name}"
    elif isinstance(action, Edit) and names_repository(call.input):
        why = f"the tool {call.name} in a repository elsewhere"
    elif isinstance(action, ShellOutput) and _TYPED.search(action.stdin or ""):
        why = f"what {call.name} typed into a running program"
    elif isinstance(action, Spawn) and action.lane is None:
        why = "a sub-agent whose steps are elsewhere"
    else:
        return None
    return Unplaced(why, may, at.step, at.call, at.lane)


def lost_parts(trajectory: Trajectory) -> Iterator[Unplaced]:
    """The parts of a log that could not be read, and what its end cut off; a recording shows all edits and runs."""
    if next((s.role for s in trajectory.steps if s.role in ("agent", "compaction")), "") == "compaction":
        yield Unplaced("the part of the session before the log begins", frozenset(("read",)))
    if trajectory.format == "aider":
        yield Unplaced("the files of the chat, whose texts the model is given", frozenset(("read",)))
    if trajectory.recording is None and (trajectory.unread or trajectory.unread_calls):
        yield Unplaced("the parts of the log that could not be read", ANYTHING)
    last = max((n for n, s in enumerate(trajectory.steps) if s.role == "agent"), default=None)
    if last is not None and trajectory.end in ("limit", "error", "interrupted"):
        # What the agent was about to do is not held against it.
        yield Unplaced("the steps that the end of the run cut off", ANYTHING, last)


def not_understood(trajectory: Trajectory) -> tuple[int, list[str]]:
    """(number of calls, why it is not known what they did, for each of which that is so)."""
    calls = [c for step in trajectory.steps if step.role == "agent" for c in step.calls]
    has_results, nowhere = any(c.result for c in calls), Position(0, None, MAIN_LANE, None, trajectory.source)
    found = [u for c in calls if (u := unplaced_call(c, nowhere, has_results=has_results)) is not None]
    return len(calls), [u.why for u in found if not u.may.isdisjoint(("edit", "run"))]


def understood(trajectory: Trajectory) -> float | None:
    """The share of the calls of a session whose effect is known; None without calls."""
    calls, unknown = not_understood(trajectory)
    calls += trajectory.unread
    lost = min(calls, len(unknown) + trajectory.unread_calls + trajectory.unread)
    return (calls - lost) / calls if calls else None
