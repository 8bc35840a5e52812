"""Which messages of an agent end a turn: those that wait for the user, and those that report what was done."""

from __future__ import annotations

import re
from itertools import pairwise

from ...base.patterns import lazy
from ...session.model import MAIN_LANE, Finish, Trajectory

# Words with which an agent asks the user to approve a plan, beside a question mark.
_PROPOSES = lazy(r"\?|\blet me know\b|\b(?:approve|proceed|go[- ]ahead|your (?:call|thoughts|input))\b", re.IGNORECASE)


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
