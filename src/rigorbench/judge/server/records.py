"""Data of the server: its limits, tokens and submissions, and refusals. Times are seconds since 1970."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from ...base.errors import GivenError
from ..judgement import Judgement
from ..problems.problem import Feedback
from ..submission import Submission

# "done": it has its verdict. "aborted": by its author. "failed": the judge could not judge it, and it has no verdict.
# All of them use budget: what costs nothing when it fails is a question about the tests that may be asked without end.
State = Literal["queued", "running", "done", "aborted", "failed"]
FEEDBACKS: Final[tuple[Feedback, ...]] = get_args(Feedback)
GIT: Final = "git"


class ServerError(GivenError):
    """The server cannot be started or used. One line with the remedy."""


class ServerSettings(Struct, frozen=True):
    """Limits of a server. Sizes are bytes, times seconds."""

    request: int = 16 << 20
    """The largest body of a request."""
    queue: int = 2000
    queue_per_run: int = 256
    """Submissions that wait or are being judged; more are refused."""
    attempts: int = 3
    """How often a submission is judged before a failure of the judge is final."""
    interruptions: int = 20
    """How often the server may die while it judges a submission, before that is a final failure."""
    retry_pause: float = 1.0
    """Before the second attempt; it doubles before each further one."""
    longest: float = 3600.0
    """The longest time for one attempt."""
    first_shown: float = 1.0
    """Before that, nothing that happens to a submission is shown; see `view`."""
    body_time: float = 60.0
    """How long a client may take to send a request's body."""
    connections: int = 512
    """Open at the same time; more are refused with 503."""
    stream_time: float = 900.0
    """The longest event stream."""


class Token(Struct, frozen=True):
    """What a token allows: submissions of one run to one problem."""

    run: str
    problem: str
    budget: int | None
    """Number of submissions; None: any number."""
    feedback: Feedback
    repository: Path | None = None
    """The bare repository whose revisions may be submitted by name."""
    hints: int = 0
    """Number of hints that the run may ask for."""

    @property
    def scope(self) -> tuple[str, str]:
        return self.run, self.problem


class SubmissionBudget(Struct, frozen=True, forbid_unknown_fields=True):
    """Number of submissions that a run may make, and that count so far; null: no limit."""

    limit: Annotated[int, Meta(ge=0)] | None
    used: Annotated[int, Meta(ge=0)]
    remaining: Annotated[int, Meta(ge=0)] | None


class HintBudget(Struct, frozen=True, forbid_unknown_fields=True):
    """Number of hints that a run may ask for, and that it has asked for."""

    limit: Annotated[int, Meta(ge=0)]
    used: Annotated[int, Meta(ge=0)]
    remaining: Annotated[int, Meta(ge=0)]


class GivenHint(Struct, frozen=True):
    """A hint that a run asked for: of the package, or by a `question`, which waits for the text of a person."""

    id: int
    run: str
    problem: str
    group: str | None
    question: str | None
    source: Literal["package", "person"]
    text: str | None
    asked: float
    answered: float | None


class StoredSubmission(Struct, frozen=True):
    """A stored submission; `content`: name of the directory of its files, deleted when it was `pruned`."""

    id: int
    run: str
    problem: str
    language: str
    state: State
    created: float
    content: str
    submission: Submission
    request: bytes = b""
    started: float | None = None
    finished: float | None = None
    attempts: int = 0
    """How often the judge failed on it."""
    interruptions: int = 0
    """How often the server died while it was judged."""
    judgement: Judgement | None = None
    error: str | None = None
    pruned: float | None = None

    @property
    def over(self) -> bool:
        return self.state in ("done", "aborted", "failed")


class Earlier(Struct, frozen=True):
    """A verdict that a later judging of the same submission replaced, or why there was none (``state`` "failed")."""

    state: State
    finished: float | None
    judgement: Judgement | None
    error: str | None = None


class Refused(Exception):
    """A request is refused and costs nothing; `error`: a word for programs, `message`: a sentence for people."""

    def __init__(self, status: int, error: str, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.error, self.message, self.retry_after = status, error, message, retry_after
