"""The ledger of a walk: the events found so far, and the facts behind them."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from ...trajectory.model import Result, Source, Trajectory
from ..commands.classify import Classified
from ..events import AnyEvent, RunEvent
from ..facts import CheckFacts, CommitFacts, EditFacts, PlanFacts
from ..paths import relative
from ..plans.prompt import read_prompt
from .root import project_root

_LIST_MARK = re.compile(r"^(?:[-*+]|\d+[.)]|#+)\s+(?:\[[ xX~>/-]\]\s*)?")


def _brought(trajectory: Trajectory) -> frozenset[str]:
    if trajectory.recording is None:
        return frozenset()
    lines = (line.strip() for c in trajectory.recording.overlay for line in (c.after or "").splitlines())
    return frozenset(bare for line in lines if (bare := _LIST_MARK.sub("", line).strip()))


class Ledger:
    """What a walk over a trajectory has found so far: events in order, and the facts behind them by ``id(event)``.

    ``stashed``: the agent's changes lie in the stash, so that what runs now runs without them.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.root = project_root(trajectory)
        self.prompt = read_prompt(trajectory)
        self.events: list[AnyEvent] = []
        self.plan_facts: dict[int, PlanFacts] = {}
        self.edit_facts: dict[int, EditFacts] = {}
        self.check_facts: dict[int, CheckFacts] = {}
        self.commit_facts: dict[int, CommitFacts] = {}
        self.effectless: set[int] = set()
        self.stashed = False
        # Lines of the files that the harness laid over the project, without their list marks.
        self.brought = _brought(trajectory)

    def place(self, step: int, call: int | None, lane: str, source: Source, time: float | None) -> dict[str, Any]:
        return {"id": "", "step": step, "call": call, "lane": lane, "source": source, "time": time}

    def add(self, event: AnyEvent) -> None:
        self.events.append(event)

    def path(self, path: str, cwd: str | None = None) -> str:
        if cwd and path and not path.startswith(("/", "~")) and not re.match(r"^[A-Za-z]:[\\/]", path):
            path = posixpath.join(cwd, path)
        return relative(path, self.root)

    def effectless_run(self, event: RunEvent) -> None:
        self.add(event)
        self.effectless.add(id(event))

    def failed_flag(self, result: Result | None, part: Classified, *, alone: bool) -> bool | None:
        """The log's error flag as far as it speaks of this one command (True/False), None if it does not."""
        if result is None or not self.trajectory.states_failure or result.is_error is None:
            return None
        if result.is_error or result.exit_status:
            return True if alone else None
        if result.interrupted or result.timed_out:
            return None  # that it did not fail yet says nothing
        return False if part.command.status != "none" else None
