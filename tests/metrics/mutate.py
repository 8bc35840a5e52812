"""Changes to real trajectories: find the calls by the events that they gave, then drop, change, move or insert them."""

from __future__ import annotations

import copy
from collections.abc import Callable

from msgspec import structs

from builders import Session
from rigorbench.api import extract
from rigorbench.evidence.events import AnyEvent, CommitEvent, EditEvent, PlanEvent, TestRunEvent
from rigorbench.session.model import FileChange, Result, Step, ToolCall, Trajectory
from rigorbench.session.usage import TokenUsage

Predicate = Callable[[AnyEvent], bool]


def is_plan(event: AnyEvent) -> bool:
    return isinstance(event, PlanEvent)


def is_run(event: AnyEvent) -> bool:
    return isinstance(event, TestRunEvent)


def is_commit(event: AnyEvent) -> bool:
    return isinstance(event, CommitEvent)


def is_edit(event: AnyEvent, role: str | None = None) -> bool:
    return isinstance(event, EditEvent) and role in (None, event.role)


def is_test_edit(event: AnyEvent) -> bool:
    return is_edit(event, "test")


def is_fix(event: AnyEvent) -> bool:
    return is_edit(event, "production")


class Log:
    """A trajectory that can be changed; the one it is made of stays as it is."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = copy.deepcopy(trajectory)

    @property
    def steps(self) -> list[Step]:
        return self.trajectory.steps

    def events(self) -> list[AnyEvent]:
        return extract(self.trajectory).events

    def calls(self, wanted: Predicate) -> list[ToolCall]:
        """The calls that gave an event of this kind, in order."""
        places = {(e.lane, e.call) for e in self.events() if e.call is not None and wanted(e)}
        numbers: dict[str, int] = {}
        found: list[ToolCall] = []
        for step in self.steps:
            for call in step.calls:
                if call.result is None:
                    continue
                number = numbers.get(step.lane, 0)
                numbers[step.lane] = number + 1
                if (step.lane, number) in places:
                    found.append(call)
        return found

    def at(self, call: ToolCall) -> int:
        """Index of the step that holds a call."""
        return next(n for n, s in enumerate(self.steps) if any(c is call for c in s.calls))

    def drop(self, *calls: ToolCall) -> None:
        """Take calls out; a step that is left without words or calls goes too."""
        for step in list(self.steps):
            kept = [c for c in step.calls if not any(c is d for d in calls)]
            if len(kept) < len(step.calls):
                step.calls = kept
                if not kept and not step.text:
                    self.steps.remove(step)

    def insert(self, index: int, work: Session) -> None:
        """Put the steps of a synthetic session before the step with this index; each costs what a step here costs."""
        spent = sorted(s.usage.output for s in self.steps if s.usage is not None and s.usage.output is not None)
        for step in work.steps:
            if step.usage is not None:
                step.usage = structs.replace(step.usage, output=spent[len(spent) // 2]) if spent else None
        self.steps[index:index] = work.steps

    def after(self, call: ToolCall, work: Session) -> None:
        self.insert(self.at(call) + 1, work)

    def output(self, call: ToolCall, text: str, exit_status: int | None = None, *, failed: bool | None = None) -> None:
        """Replace what a call returned."""
        old = call.result
        flag = failed if old is not None and old.is_error is not None else None
        call.result = Result(text, exit_status=exit_status, is_error=flag)

    def change(self, call: ToolCall, edit: Callable[[FileChange], FileChange]) -> None:
        """Replace the file changes of an editing call."""
        call.action = structs.replace(call.action, changes=[edit(c) for c in call.action.changes])  # type: ignore[union-attr]

    def command(self, call: ToolCall, edit: Callable[[str], str]) -> None:
        call.action = structs.replace(call.action, command=edit(call.action.command))  # type: ignore[union-attr]

    def closing(self, text: str) -> None:
        """Replace the agent's last words."""
        last = next(s for s in reversed(self.steps) if s.role == "agent")
        last.text = text

    def cut(self, index: int) -> None:
        """Everything from this step on never happened."""
        del self.steps[index:]

    def multiply_tokens(self, first: int, last: int, factor: int) -> None:
        """Output tokens of the steps first..last, times ``factor``."""
        for step in self.steps[first : last + 1]:
            if step.usage is not None and step.usage.output is not None:
                step.usage = structs.replace(step.usage, output=step.usage.output * factor)

    def spend(self, tokens: int) -> None:
        """Give every model call the same output tokens (for logs whose counts do not matter here)."""
        for step in self.steps:
            if step.role == "agent":
                step.usage = TokenUsage(input=10, cache_read=0, cache_write=0, output=tokens)
