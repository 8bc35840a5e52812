"""The evidence of a session while the walk over its calls finds it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ...session.model import PlanItem, Result, Shell, Trajectory
from ..commands.classify import Classified
from ..events import AnyEvent, ClaimEvent, EpisodeEvent, EventHead, PlanEvent, PlanOrigin, Position, RunEvent, head
from ..facts import Evidence, PlanFacts
from ..plans.prompt import read_prompt
from ..plans.revisions import describe
from .root import project_root, worktrees
from .tokens import step_tokens


class ShellCall(Struct, frozen=True):
    """One call of a shell tool. ``output``: what the commands printed; "" without a result."""

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


class Found(Evidence, kw_only=True):
    """The evidence so far.

    An event gets its id from :meth:`head` when it is made, and its facts are kept by that id. Since a late result can
    put an event between earlier ones, :meth:`number_events` gives the final ids, in log order.
    """

    builds: dict[str, list[str]] = field(default_factory=dict)
    """The files and directories that a build names, by its id."""
    made: int = 0

    def head(self, at: Position) -> EventHead:
        """The first fields of a new event: a fresh id, and the position."""
        self.made += 1
        return head(at, f"new{self.made}")

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
        for number, event in enumerate(self.events):
            event.id = f"e{number}"
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


def begin(trajectory: Trajectory) -> Found:
    """What is known of a session before its calls are read."""
    root = project_root(trajectory)
    return Found(
        trajectory=trajectory,
        root=root,
        worktrees=worktrees(trajectory, root),
        prompt=read_prompt(trajectory),
        tokens=step_tokens(trajectory),
    )
