"""The events of the evidence contract: what happened in a session, each with the place in the log that shows it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from ..trajectory.model import Source

Outcome = Literal["passed", "failed", "error", "unknown"]
FileRole = Literal["production", "test", "document", "config"]
Operation = Literal["create", "modify", "delete", "rename"]
Resolution = Literal["green", "masked", "given_up", "unresolved"]


class Event(Struct, tag_field="kind", kw_only=True):
    """What every event has.

    ``id``: unique in the trajectory ("e0", "e1", ... in order). ``step``: index into ``Trajectory.steps``. ``call``:
    0-based index of the completed tool call in its lane (None for text). ``time``: seconds since the epoch.
    """

    id: str
    step: int
    call: int | None = None
    lane: str = "main"
    time: float | None = None
    source: Source


class PlanEvent(Event, tag="plan", kw_only=True):
    items: list[str]
    origin: Literal["file", "tool", "message", "mode"]
    # Items the agent has ticked so far: kept to show them, never counted as done.
    completed: list[str] = field(default_factory=list)


class EditEvent(Event, tag="edit", kw_only=True):
    path: str
    operation: Operation
    role: FileRole
    # Functions, methods and classes the edit touches ("Class.method"), where the text tells.
    symbols: list[str] = field(default_factory=list)
    new_path: str | None = None
    # "background": a witness saw the file change while no call was at work that would explain it.
    via: Literal["tool", "shell", "background"] = "tool"


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
    message: str
    files: list[str]


class VcsEvent(Event, tag="vcs", kw_only=True):
    command: str
    destructive: bool


class RunEvent(Event, tag="run", kw_only=True):
    command: str
    exit_status: int | None = None


class ReadEvent(Event, tag="read", kw_only=True):
    target: str


class SearchEvent(Event, tag="search", kw_only=True):
    target: str


class EpisodeEvent(Event, tag="episode", kw_only=True):
    """An error episode. ``start_call``/``end_call`` are call indices in the lane of the first failing check.

    ``attempts``: edits-then-check rounds until green (or the end); ``failed_attempts`` those that stayed red;
    ``repeats`` those among the failed ones that did the same as an earlier one. ``rule`` says what opened and what
    closed it, in words. ``checks`` are the ids of the checks inside, ``attempt_edits`` the edit ids of each attempt.
    """

    signature: str
    start_call: int
    end_call: int
    attempts: int
    failed_attempts: int
    repeats: int
    resolved: Resolution
    rule: str
    checks: list[str] = field(default_factory=list)
    attempt_edits: list[list[str]] = field(default_factory=list)


class AskEvent(Event, tag="ask", kw_only=True):
    text: str


class AbstainEvent(Event, tag="abstain", kw_only=True):
    text: str


class ClaimEvent(Event, tag="claim", kw_only=True):
    text: str
    supported_by: list[str]


class WaitEvent(Event, tag="wait", kw_only=True):
    pass


class SpawnEvent(Event, tag="spawn", kw_only=True):
    spawned: str | None = None


class CompactionEvent(Event, tag="compaction", kw_only=True):
    pass


class InterruptEvent(Event, tag="interrupt", kw_only=True):
    pass


AnyEvent = (
    PlanEvent | EditEvent | TestRunEvent | BuildEvent | LintEvent | CommitEvent | VcsEvent | RunEvent | ReadEvent
    | SearchEvent | EpisodeEvent | AskEvent | AbstainEvent | ClaimEvent | WaitEvent | SpawnEvent | CompactionEvent
    | InterruptEvent
)  # fmt: skip
