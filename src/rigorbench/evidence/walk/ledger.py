"""The ledger of a walk: the events found so far, and the facts about them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from msgspec import Struct

from ...session.model import PlanItem, Result, Shell, Trajectory
from ..commands.classify import Classified
from ..events import AnyEvent, ClaimEvent, EpisodeEvent, EventHead, PlanEvent, PlanOrigin, Position, RunEvent
from ..facts import CheckFacts, CommitFacts, EditFacts, PlanFacts, Unplaced
from ..paths import is_absolute_outside, is_rooted, relative
from ..plans.prompt import read_prompt
from ..plans.revisions import describe
from .root import project_root, worktrees

_LIST_MARK = re.compile(r"^(?:[-*+]|\d+[.)]|#+)\s+(?:\[[ xX~>/-]\]\s*)?")


class ShellCall(Struct, frozen=True):
    """One call of a shell tool.

    Attributes:
        output: what the commands printed; "" without a result.
        id: the call's id in the log.
    """

    at: Position
    action: Shell
    result: Result | None
    output: str
    id: str | None

    @property
    def whole_output(self) -> str | None:
        """All that the commands printed; None if the log does not have it."""
        result = self.result
        missing = result is None or result.truncated or result.interrupted or result.timed_out or result.running
        return None if missing else self.output


class Ledger:
    """What a walk over a trajectory has found so far.

    An event gets its id from :meth:`head` when it is made, and its facts are kept by that id. Since a late result can
    put an event between earlier ones, :meth:`number_events` gives the final ids, in log order.

    Attributes:
        elsewhere: ids of the events of what ran on another tree than the agent's own.
        builds: the files and directories that a build names, by its id.
        overlay_lines: lines of the files that the harness added to the project, without their list marks.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.root = project_root(trajectory)
        self.worktrees = worktrees(trajectory, self.root)
        self.prompt = read_prompt(trajectory)
        self.events: list[AnyEvent] = []
        self.plans: dict[str, PlanFacts] = {}
        self.edits: dict[str, EditFacts] = {}
        self.checks: dict[str, CheckFacts] = {}
        self.commits: dict[str, CommitFacts] = {}
        self.exchanges: set[str] = set()
        self.effectless: set[str] = set()
        self.unplaced: list[Unplaced] = []
        self.builds: dict[str, list[str]] = {}
        self.elsewhere: set[str] = set()
        self.overlay_lines = _overlay_lines(trajectory)
        self._made = 0

    def head(self, at: Position) -> EventHead:
        """The first fields of a new event: a fresh id, and the position."""
        self._made += 1
        return {
            "id": f"new{self._made}",
            "step": at.step,
            "call": at.call,
            "lane": at.lane,
            "time": at.time,
            "source": at.source,
        }

    def add(self, event: AnyEvent, after: str | None = None) -> None:
        """Add an event as the last, or right after the one with the id ``after`` ("": as the first)."""
        places = {e.id: n for n, e in enumerate(self.events, 1)} if after else {"": 0}
        self.events.insert(len(self.events) if after is None else places.get(after, len(self.events)), event)

    def add_plan(self, at: Position, items: Sequence[PlanItem], origin: PlanOrigin) -> None:
        """The event of a plan. A list that grows item by item, with nothing in between, is one plan."""
        texts, done = [i.text for i in items], [i.text for i in items if i.status == "completed"]
        facts = PlanFacts(describe(items, self.prompt.text), origin)
        last = self.events[-1] if self.events else None
        grown = isinstance(last, PlanEvent) and origin == last.origin == "tool" and last.lane == at.lane
        if grown and isinstance(last, PlanEvent) and texts[: len(last.items)] == last.items:
            last.items, last.completed = texts, done
            self.plans[last.id] = facts
            return
        event = PlanEvent(**self.head(at), items=texts, origin=origin, completed=done)
        self.add(event)
        self.plans[event.id] = facts

    def add_effectless(self, at: Position, command: str, exit_status: int | None) -> None:
        """A run of a command that does nothing."""
        event = RunEvent(**self.head(at), command=command, exit_status=exit_status)
        self.add(event)
        self.effectless.add(event.id)

    def path(self, path: str, cwd: str | None = None) -> str:
        """A path as events name it: relative to the root when it is inside."""
        if cwd and path and not is_rooted(path):
            path = posixpath.join(cwd, path)
        return relative(path, self.root, self.worktrees)

    def outside(self, directory: str | None) -> bool:
        """Whether a directory is known to be outside the project."""
        path = self.path(directory or ".")
        return self.root is not None and not path.startswith("..") and is_absolute_outside(path, self.root)

    def failed_flag(self, result: Result | None, part: Classified, *, alone: bool) -> bool | None:
        """Whether this one command failed by the log's error flag; None if the flag does not show it."""
        if result is None or not self.trajectory.states_failure or result.is_error is None:
            return None
        if result.is_error or result.exit_status:
            return True if alone else None
        if result.interrupted or result.timed_out:
            return None  # it had not failed yet, which shows nothing
        return False if part.command.status != "none" else None

    def number_events(self) -> None:
        """Sort the events, and give them their final ids ("e0", "e1", ...), also where others refer to them."""
        self.events.sort(key=lambda e: e.step)
        final = {event.id: f"e{number}" for number, event in enumerate(self.events)}
        for event in self.events:
            event.id = final[event.id]
            if isinstance(event, ClaimEvent):
                event.decided_by = [final[i] for i in event.decided_by]
            elif isinstance(event, EpisodeEvent):
                event.checks = [final[i] for i in event.checks]
                event.attempt_edits = [[final[i] for i in edits] for edits in event.attempt_edits]
                event.baseline = [final[i] for i in event.baseline]
        self.plans = {final[i]: facts for i, facts in self.plans.items()}
        self.edits = {final[i]: facts for i, facts in self.edits.items()}
        self.checks = {final[i]: facts for i, facts in self.checks.items()}
        self.commits = {final[i]: facts for i, facts in self.commits.items()}
        self.exchanges = {final[i] for i in self.exchanges}
        self.effectless = {final[i] for i in self.effectless}
        self.elsewhere = {final[i] for i in self.elsewhere}


def _overlay_lines(trajectory: Trajectory) -> frozenset[str]:
    if trajectory.recording is None:
        return frozenset()
    lines = (line.strip() for c in trajectory.recording.overlay for line in (c.after or "").splitlines())
    return frozenset(bare for line in lines if (bare := _LIST_MARK.sub("", line).strip()))
