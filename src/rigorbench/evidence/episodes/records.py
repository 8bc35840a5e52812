"""What the search for error episodes keeps: the episodes while they last, and the checks."""

from __future__ import annotations

from msgspec import Struct, field

from ..commands.exclusion import leaves_out
from ..events import AnyEvent, EditEvent, Resolution
from ..facts import CheckFacts
from ..testruns.ids import selected
from .attempts import Tree


class OpenEpisode(Struct):
    """An episode while it lasts.

    Attributes:
        ids: ids of what failed.
        masked: those whose tests were deleted, skipped or weakened.
        trees: the tree at the start and after each attempt.
        red: number of attempts after which the check still failed.
        since: edits since the last check.
    """

    key: str
    ids: set[str]
    start: AnyEvent
    signature: str
    opened_by: str
    checks: list[AnyEvent]
    trees: list[Tree]
    masked: set[str] = field(default_factory=set)
    attempts: list[list[EditEvent]] = field(default_factory=list)
    red: int = 0
    since: list[EditEvent] = field(default_factory=list)
    end: AnyEvent | None = None
    resolved: Resolution = "unresolved"
    closed_by: str = "the log ends while it is still failing"

    @property
    def lane(self) -> str:
        return self.start.lane

    def names_tests(self) -> bool:
        return self.ids != {self.signature} or "::" in self.signature

    def is_covered_by(self, facts: CheckFacts) -> bool:
        """Whether a run executed the episode's tests: a whole run does, a selection must name them or their files."""
        tests = self.ids - self.masked
        if not facts.ran or any(leaves_out(facts.excluded, i) for i in tests):
            return False
        if facts.family != "test" or not facts.selective or not self.names_tests():
            return True
        return all(selected(i, facts.targets) for i in tests)


class Check(Struct):
    """A check: its index among the events, its facts, and the number of edits before it."""

    position: int
    event: AnyEvent
    facts: CheckFacts
    edits: int

    def state(self) -> tuple[object, ...]:
        """What was checked, where, and after how many edits."""
        return self.facts.key, tuple(self.facts.targets), self.edits, self.event.lane

    def ids(self) -> set[str]:
        return set(self.facts.failing) or {self.facts.signature}
