"""The calls of a session in the order of the log, and which messages end a turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ..base.patterns import lazy
from ..session.model import MAIN_LANE, Finish, Step, ToolCall, Trajectory
from .events import Position

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
