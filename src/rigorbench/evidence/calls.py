"""The calls of a session in the order of the log, which messages end a turn, and what may have been done unseen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ..base.patterns import lazy
from ..session.model import (
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
    Step,
    ToolCall,
    Trajectory,
    Wait,
)
from ..session.shapes import names_repository
from .events import Position
from .facts import Effect, Unplaced

# Words with which an agent asks the user to approve a plan, beside a question mark.
_PROPOSES = lazy(r"\?|\blet me know\b|\b(?:approve|proceed|go[- ]ahead|your (?:call|thoughts|input))\b", re.IGNORECASE)


class Call(Struct, frozen=True):
    """A call of a tool, and where the log shows it."""

    at: Position
    tool: ToolCall


def of_step(index: int, step: Step) -> Position:
    return Position(index, None, step.lane, step.time, step.source)


def read_calls(trajectory: Trajectory) -> Iterator[Call]:
    """The calls of the agent, apart from those of turns that the user took back."""
    gone, done = taken_back(trajectory), Counter[str]()
    for index, step in enumerate(trajectory.steps):
        for call in step.calls if step.role == "agent" and step.lane not in gone else ():
            number, time, result = None, call.time or step.time, call.result
            if result is not None:
                number = done[step.lane]
                done[step.lane] += 1
                time = result.time if result.time is not None else time
            yield Call(Position(index, number, step.lane, time, call.source), call)


def taken_back(trajectory: Trajectory) -> set[str]:
    """The lanes of the turns that the user took back, and of their sub-agents."""
    lanes = trajectory.lanes.values()
    gone = {lane.id for lane in lanes if lane.taken_back}
    return gone | {lane.id for lane in lanes if lane.parent in gone}


def turn_ends(trajectory: Trajectory) -> set[int]:
    """The messages after which the agent waited for the user, who answered."""
    main = [(n, s) for n, s in enumerate(trajectory.steps) if s.lane == MAIN_LANE and s.role in ("agent", "user")]
    return {n for (n, s), (_, after) in pairwise(main) if s.role == "agent" and not s.calls and after.role == "user"}


def reports(trajectory: Trajectory) -> set[int]:
    """The messages that end a turn without a question: they report what was done, and plan nothing."""
    found: set[int] = set()
    idle: list[int] = []  # messages with no call but the last one, after which none has come yet
    for index, step in enumerate(trajectory.steps):
        if step.lane != MAIN_LANE:
            continue
        if step.role == "user" and idle:
            if not _PROPOSES.search(trajectory.steps[idle[-1]].text[-400:]):
                found.update(idle)
            idle = []
        elif step.role == "agent":
            idle = [*idle, index] if all(isinstance(c.action, Finish) for c in step.calls) else []
    found.update(idle)
    return found


class Closing(Struct, frozen=True):
    """The closing message: its step and its text. ``ends``: the agent is done, and says so or calls nothing more."""

    index: int
    text: str
    ends: bool


def last_message(trajectory: Trajectory) -> int | None:
    """The last step of the agent in the main lane."""
    steps = enumerate(trajectory.steps)
    return max((i for i, s in steps if s.role == "agent" and s.lane == MAIN_LANE), default=None)


def closing_message(trajectory: Trajectory) -> Closing | None:
    """The last agent step of the main lane, if nothing was to follow it.

    A reply with calls is none where a limit kept the agent from seeing what they did.
    """
    last = last_message(trajectory)
    if last is None:
        return None
    step = trajectory.steps[last]
    finishes = any(isinstance(c.action, Finish) for c in step.calls)
    cut_off = not finishes and bool(step.calls)
    if (not step.text.strip() and not finishes) or (cut_off and trajectory.end in ("limit", "error")):
        return None
    finish = next((c.action.text for c in step.calls if isinstance(c.action, Finish) and c.action.text), "")
    text = step.text if finish in step.text or not finish else f"{step.text}\n{finish}".strip()
    return Closing(last, text, finishes or not step.calls)


def ends_in_a_call(trajectory: Trajectory) -> bool:
    """Whether the log ends with a call after which the agent had no turn, and does not say why."""
    last = next((s for s in reversed(trajectory.steps) if s.lane == MAIN_LANE), None)
    if last is None or not last.calls or trajectory.end is not None or trajectory.format == "aider":
        return False  # an answer of aider is its edits
    return not any(isinstance(c.action, Finish) for c in last.calls)


# Words, rather than a key or the answer to a question.
_TYPED = re.compile(r"\w{2,}\W+\w{2,}|\w{4,}")
NO_RESULT = " that has no result"
ANYTHING: frozenset[Effect] = frozenset(("edit", "read", "run"))


def unplaced_call(call: ToolCall, at: Position, *, has_results: bool) -> Unplaced | None:
    """What one call may have done unseen; None: its events show it, or it did nothing."""
    result, action = call.result, call.action
    if call.observed is not None or isinstance(action, Plan | Ask | Wait | Finish):
        return None
    if (result is not None and (result.denied or result.is_error)) or (isinstance(action, Other) and action.inert):
        return None
    may = ANYTHING
    if result is None and has_results:  # it is not known to have ended
        why = f"a call of {call.name}{NO_RESULT}"
        may = frozenset(("read",)) if isinstance(action, Read | Search) else ANYTHING
    elif isinstance(action, Other):
        why = f"the tool {call.name}"
    elif isinstance(action, Edit) and names_repository(call.input):
        why = f"the tool {call.name} in a repository elsewhere"
    elif isinstance(action, ShellOutput) and _TYPED.search(action.stdin or ""):
        why = f"what {call.name} typed into a running program"
    elif isinstance(action, Spawn) and action.lane is None:
        why = "a sub-agent whose steps are not read"
    else:
        return None
    return Unplaced(why, may, at.step, at.call, at.lane)


def lost_parts(trajectory: Trajectory) -> Iterator[Unplaced]:
    """The parts of a log that could not be read, and what its end cut off; a recording shows all edits and runs."""
    if next((s.role for s in trajectory.steps if s.role in ("agent", "compaction")), "") == "compaction":
        yield Unplaced("the part of the session before the log begins", frozenset(("read",)))
    if trajectory.continues is not None:
        yield Unplaced("the session that this one goes on from, whose log is another", ANYTHING, 0)
    if trajectory.format == "aider":
        yield Unplaced("the files of the chat, whose texts the model is given", frozenset(("read",)))
        yield Unplaced("the lint after each edit, of which aider prints only failures", frozenset(("run",)))
    if trajectory.recording is None and (trajectory.unread or trajectory.unread_calls):
        yield Unplaced("the parts of the log that could not be read", ANYTHING)
    elif trajectory.unread_calls:
        yield Unplaced("a call that may have run one of the programs that no call explains", frozenset(("run",)))
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
