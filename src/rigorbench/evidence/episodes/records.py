"""What the search for error episodes keeps: the episodes while they last, and the checks."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from ..events import AnyEvent, Attribution, EditEvent, Resolution
from ..facts import CheckFacts
from .attempts import Tree


class CheckRecord(Struct):
    """A check: its index among the events, its facts, and the number of edits before it."""

    position: int
    event: AnyEvent
    facts: CheckFacts
    edits: int

    def state(self) -> tuple[object, ...]:
        """What was checked, where, and after how many edits. A compiler has several projects by its arguments."""
        command = "" if self.facts.family == "test" else getattr(self.event, "command", "")
        return self.facts.key, tuple(self.facts.targets), self.edits, self.event.lane, command

    def ids(self) -> set[str]:
        """What failed: tests and files that do not load, else files that a compiler or linter names, else the whole."""
        facts = self.facts
        return set(facts.failing) or (set(facts.diagnosed) if facts.family != "test" else set()) or {facts.signature}


class OpenEpisode(Struct):
    """An episode while it lasts."""

    first: CheckRecord
    ids: set[str]
    """What failed (see :meth:`Check.ids`)."""
    signature: str
    opened_by: str
    checks: list[AnyEvent]
    trees: list[Tree]
    """The tree at the start and after each attempt."""
    red_runs: list[CheckFacts]
    """Facts of its failing checks."""
    healthy: Tree | None = None
    """The tree on which the check had last passed."""
    attributed: Attribution | None = None
    baseline: list[AnyEvent] = field(default_factory=list)
    """The checks of the untouched tree that fail alike."""
    green: set[str] = field(default_factory=set)
    """Those that have passed since."""
    masked: set[str] = field(default_factory=set)
    """Those whose tests were deleted, skipped or weakened."""
    doubtful: bool = False
    """Whether that was wrong of one of them cannot be told."""
    attempts: list[list[EditEvent]] = field(default_factory=list)
    red: int = 0
    """Number of attempts after which the check still failed."""
    since: list[EditEvent] = field(default_factory=list)
    """Edits since the last check."""
    documents: list[EditEvent] = field(default_factory=list)
    """Changed documents since then, which a test may compare with what the code says."""
    partly: tuple[OpenEpisode, CheckRecord] | None = None
    """As it was when a selection of its tests last passed, with that check."""
    own_test: bool = False
    """What failed is a test that the agent had just written or changed, and its code may be still to come."""
    end: tuple[int, AnyEvent] | None = None
    """Index of the event that closed it, and the event."""
    resolved: Resolution = "unresolved"
    closed_by: str = "the log ends while it is still failing"

    def snapshot(self, ids: set[str]) -> OpenEpisode:
        """The episode as it is now, for these of its failures."""
        return replace(
            self,
            ids=set(ids),
            green=set(self.green),
            masked=self.masked & ids,
            checks=list(self.checks),
            trees=list(self.trees),
            red_runs=list(self.red_runs),
            baseline=list(self.baseline),
            attempts=list(self.attempts),
            since=list(self.since),
            documents=list(self.documents),
            partly=None,
        )

    @property
    def start(self) -> AnyEvent:
        return self.first.event

    @property
    def lane(self) -> str:
        return self.start.lane

    @property
    def key(self) -> str:
        return self.first.facts.key

    def names_failures(self) -> bool:
        """Whether it is known which tests or files failed."""
        return self.ids != {self.first.facts.signature} or bool(self.first.facts.failing)
