"""The events of a session: what happened, each with its position in the log."""

from __future__ import annotations

from typing import Literal, TypedDict

from msgspec import Struct, field
from msgspec.structs import asdict

from ..session.model import Source

Outcome = Literal["passed", "failed", "error", "unknown"]
FileRole = Literal["production", "test", "document", "config"]
Operation = Literal["create", "modify", "delete", "rename"]
PlanOrigin = Literal["file", "tool", "message", "mode"]
Resolution = Literal["green", "masked", "given_up", "unresolved", "unknown"]
Attribution = Literal["own", "existing", "environment", "test"]
ClaimVerdict = Literal["supported", "contradicted", "not_shown"]


class Position(Struct, frozen=True):
    """Where in the log an event is shown."""

    step: int
    """Index into ``Trajectory.steps``."""
    call: int | None
    """0-based index of the completed tool call in its lane; None for text."""
    lane: str
    """"main", or the lane of a sub-agent."""
    time: float | None
    source: Source


class EventHead(TypedDict):
    """The fields that every event has, as its constructor takes them."""

    id: str
    step: int
    call: int | None
    lane: str
    time: float | None
    source: Source


def head(at: Position, id: str = "") -> EventHead:
    """The first fields of a new event. Without an id, no other event can refer to it."""
    return {"id": id, **asdict(at)}  # type: ignore[typeddict-item]


class Event(Struct, tag_field="kind", kw_only=True):
    """What every event has: an ``id``, unique in the trajectory ("e0", "e1", ... in log order), and a position."""

    id: str
    step: int
    call: int | None = None
    lane: str = "main"
    time: float | None = None
    source: Source

    @property
    def position(self) -> Position:
        return Position(self.step, self.call, self.lane, self.time, self.source)


class PlanEvent(Event, tag="plan", kw_only=True):
    items: list[str]
    origin: PlanOrigin
    # Items that the agent has marked as done: shown, never counted as done.
    completed: list[str] = field(default_factory=list)


class EditEvent(Event, tag="edit", kw_only=True):
    path: str
    operation: Operation
    role: FileRole
    # The functions, methods and classes ("Class.method") that the edit touches, where the text shows them.
    symbols: list[str] = field(default_factory=list)
    new_path: str | None = None
    # "git": version control exchanged the whole tree (a stash, another revision, a reset), of which this is a part.
    # "background": the recording shows the change, and no call was running that would explain it.
    via: Literal["tool", "shell", "git", "background"] = "tool"


class TestRunEvent(Event, tag="test_run", kw_only=True):
    command: str
    runner: str
    outcome: Outcome
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    failing: list[str] = field(default_factory=list)
    exit_status: int | None = None
    red_phase: bool = False


class BuildEvent(Event, tag="build", kw_only=True):
    command: str
    outcome: Outcome


class LintEvent(Event, tag="lint", kw_only=True):
    command: str
    outcome: Outcome


class CommitEvent(Event, tag="commit", kw_only=True):
    """A commit. ``amended``: a later commit of the session replaced it, with its files, or it was reset away."""

    message: str
    files: list[str]
    amended: bool = False


class VcsEvent(Event, tag="vcs", kw_only=True):
    command: str
    outcome: Outcome = "unknown"


class RunEvent(Event, tag="run", kw_only=True):
    command: str
    exit_status: int | None = None


class ReproductionEvent(RunEvent, tag="reproduction", kw_only=True):
    """A run of a program that the agent wrote itself to try the project's code, outside the project's tests."""

    outcome: Outcome
    """"passed": it ended well, and could have failed or said that it succeeded. "unknown": it only printed something
    for the agent to judge."""


class ReadEvent(Event, tag="read", kw_only=True):
    target: str


class SearchEvent(Event, tag="search", kw_only=True):
    target: str


class EpisodeEvent(Event, tag="episode", kw_only=True):
    """An error episode: from a failing check to green, or to the end of the log."""

    signature: str
    start_call: int
    """Call index of the first failing check, in its lane."""
    end_call: int
    """Call index at which the episode closed, in the same lane."""
    attempts: int
    failed_attempts: int
    repeats: int
    """Failed attempts that did the same as an earlier one."""
    resolved: Resolution
    """How the episode ended. "unknown": a failing test was rewritten or given up, and whether that was right cannot be
    told."""
    rule: str
    """In words, what opened and what closed the episode."""
    checks: list[str] = field(default_factory=list)
    attempt_edits: list[list[str]] = field(default_factory=list)
    """Ids of the edits of each attempt."""
    attributed: Attribution | None = None
    """Whose failure it is. "own": the agent's work caused or repaired it. "existing": it was there before, as
    ``baseline`` shows, or it is in files that nobody touched. "environment": a tool, module, service or directory was
    missing; no change of the code repaired it. "test": a test that the agent had just written or changed was wrong, and
    correcting it repaired it. None: the log does not show it."""
    baseline: list[str] = field(default_factory=list)
    """Ids of the checks that fail alike on the untouched tree."""

    @property
    def counts(self) -> bool:
        """Whether it is an error of the session, which the agent had to recover from."""
        return self.attributed in ("own", None)


class AskEvent(Event, tag="ask", kw_only=True):
    text: str


class AbstainEvent(Event, tag="abstain", kw_only=True):
    text: str


class ClaimEvent(Event, tag="claim", kw_only=True):
    """A statement about a check or a result in the closing message or in a commit, held against the log."""

    text: str
    verdict: ClaimVerdict
    """"contradicted": the last run of the very check failed, or nothing in a complete log did what it says;
    "not_shown": it speaks of something in a file that a complete log shows no edit of."""
    why: str = ""
    """The reason in words."""
    decided_by: list[str] = field(default_factory=list)
    """Ids of the deciding events ([]: there are none)."""
    check: str | None = None
    """The command that it names or rests on."""

    @property
    def supported_by(self) -> list[str]:
        """The deciding events of a supported claim; [] for any other."""
        return self.decided_by if self.verdict == "supported" else []


class WaitEvent(Event, tag="wait", kw_only=True):
    pass


class SpawnEvent(Event, tag="spawn", kw_only=True):
    spawned: str | None = None


class CompactionEvent(Event, tag="compaction", kw_only=True):
    pass


class InterruptEvent(Event, tag="interrupt", kw_only=True):
    pass


AnyEvent = (
    PlanEvent | EditEvent | TestRunEvent | BuildEvent | LintEvent | CommitEvent | VcsEvent | RunEvent
    | ReproductionEvent | ReadEvent | SearchEvent | EpisodeEvent | AskEvent | AbstainEvent | ClaimEvent | WaitEvent
    | SpawnEvent | CompactionEvent | InterruptEvent
)  # fmt: skip
