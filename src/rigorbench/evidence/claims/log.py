"""What a message is held against, and what becomes of its statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from ...trajectory.model import Result, Shell, Trajectory
from ..commands.classify import classify_line
from ..events import (
    AnyEvent,
    BuildEvent,
    ClaimVerdict,
    CompactionEvent,
    EditEvent,
    LintEvent,
    RunEvent,
    SpawnEvent,
    TestRunEvent,
)
from ..facts import CheckFacts, EditFacts

Check = TestRunEvent | BuildEvent | LintEvent | RunEvent


class Claim(Struct):
    """A statement, what the log says about it, the deciding events, and the command that it names or rests on."""

    text: str
    verdict: ClaimVerdict
    events: list[AnyEvent] = field(default_factory=list)
    command: str | None = None


class Log(Struct):
    """What a message is held against.

    Attributes:
        events: the events of the project up to the message (no edits of throwaway scripts).
        message: all of the message.
        printed: whether a command printed what an expression describes; None: not known.
        trajectory: the session; None: what a check reported is not known.
        masked: a failing test was deleted or weakened earlier, so a green run does not show that anything was fixed.
    """

    events: Sequence[AnyEvent]
    checks: Mapping[str, CheckFacts]
    edits: Mapping[str, EditFacts]
    masked: bool = False
    message: str = ""
    printed: Callable[[re.Pattern[str]], bool] | None = None
    trajectory: Trajectory | None = None

    @property
    def is_incomplete(self) -> bool:
        """Whether a part of the work is not in the log."""
        return any(isinstance(e, SpawnEvent | CompactionEvent) for e in self.events)

    @property
    def commands(self) -> list[str]:
        """All command lines of the session."""
        steps = self.trajectory.steps if self.trajectory is not None else []
        return [call.action.command for s in steps for call in s.calls if isinstance(call.action, Shell)]

    def results(self, event: AnyEvent) -> list[Result]:
        """The results of the call that an event is of."""
        calls = self.trajectory.steps[event.step].calls if self.trajectory is not None else []
        return [c.result for c in calls if c.result is not None and c.source == event.source]

    def output(self, event: AnyEvent) -> str:
        """What the call printed that an event is of; "" if that is not known."""
        return "\n".join(result.text for result in self.results(event))

    def says_error(self, event: AnyEvent) -> bool:
        """Whether the log marks a call of one command as failed, without an exit status."""
        calls = self.trajectory.steps[event.step].calls if self.trajectory is not None else []
        for call in calls:
            if call.source == event.source and call.result is not None and isinstance(call.action, Shell):
                result = call.result
                stopped = result.denied or result.interrupted or result.timed_out or result.running
                if result.is_error and not stopped and len(classify_line(call.action.command)) == 1:
                    return True
        return False

    def counts(self, event: AnyEvent) -> bool:
        """Whether an event is a check of the agent's tree that got far enough to check anything."""
        if not isinstance(event, Check):
            return False
        facts = self.checks.get(event.id)
        return facts is None or (facts.ran and not facts.start_tree)

    def is_unreported(self, event: AnyEvent) -> bool:
        """Whether an event is a check that was started, and has neither an output nor an end in the log."""
        if not isinstance(event, Check) or self.trajectory is None:
            return False
        ends = self.results(event)
        return bool(ends) and all(r.exit_status is None and r.is_error is None and not r.text.strip() for r in ends)

    def is_selection(self, run: TestRunEvent) -> bool:
        """Whether a run is of some tests only, by its command."""
        facts = self.checks.get(run.id)
        return facts is not None and facts.selective

    def is_change(self, event: AnyEvent) -> bool:
        """Whether an event changes production code, beyond its layout."""
        if not isinstance(event, EditEvent) or event.role != "production" or event.path.startswith("/"):
            return False
        facts = self.edits.get(event.id)
        return facts is None or (facts.code and not (facts.scratch or facts.layout or facts.restoring))

    def change_after(self, event: AnyEvent) -> AnyEvent | None:
        """The last change of production code after an event."""
        for later in reversed(self.events):
            if later is event:
                return None
            if self.is_change(later):
                return later
        return None

    def result(self, event: Check) -> bool | None:
        """Whether a check passed; None: not known."""
        if isinstance(event, RunEvent):
            facts = self.checks.get(event.id)
            if facts is not None and (facts.passed or facts.failed):
                return facts.passed
            if event.exit_status is None:
                return False if self.says_error(event) else None
            return event.exit_status == 0
        return {"passed": True, "failed": False, "error": False}.get(event.outcome)
