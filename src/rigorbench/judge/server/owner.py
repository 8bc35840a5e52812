"""Access of the judge's owner to a server's directory, whether a server runs or not: tokens and all results."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ..model import Judgement
from ..submission import Submission
from .content import payload
from .model import FEEDBACKS, Earlier, Entry, ServerError, State, Token
from .store import Store

# Name of the file with the server's address; it exists while the server runs.
ADDRESS = "address"


class Record(Struct, frozen=True):
    """Everything about a submission, for the judge's owner, independent of what its author was shown.

    Attributes:
        number: from 1, in the order of the run's submissions to its problem.
        id: unique at this server.
        kind: "file", "tree" or "revision".
        counted: it uses budget; every submission does.
        submission: its files, unpacked. They stay in the server's directory.
        payload: the file that was sent; for a revision of the token's repository, the bare repository made from it.
        pruned: when its files were deleted; verdicts are kept.
        earlier: what was replaced by `judgement` when it was judged again, oldest first.
        judgement: None before the end and after an abort; after a failure of the judge, it may be incomplete.
    """

    number: int
    id: int
    run: str
    problem: str
    language: str
    kind: str
    state: State
    created: float
    submission: Submission
    payload: Path
    counted: bool = True
    revision: str | None = None
    started: float | None = None
    finished: float | None = None
    attempts: int = 0
    judgement: Judgement | None = None
    error: str | None = None
    pruned: float | None = None
    earlier: tuple[Earlier, ...] = ()


def address(data: Path) -> str | None:
    """The address of the server that runs in a directory; None: none does."""
    try:
        with locked(data):
            return None
    except ServerError:
        pass
    try:
        return (data / ADDRESS).read_text(encoding="utf-8") or None
    except OSError:
        return None


def issue(
    store: Store,
    run: str,
    problem: str,
    budget: int | None,
    feedback: str | None,
    repository: Path | str | None,
    hints: int = 0,
) -> str:
    """A new token, like `JudgeServer.issue_token`, for a problem that was served from this directory."""
    known = store.known_problems()
    if problem not in known:
        raise ServerError(f"{problem!r} was not served from here; one of: {', '.join(known) or 'none yet'}")
    own_budget, own_feedback = known[problem]
    level = own_feedback if feedback is None else feedback
    if level not in FEEDBACKS:
        raise ServerError(f"no feedback {level!r}; one of: {', '.join(FEEDBACKS)}")
    if (budget is not None and budget < 0) or hints < 0:
        raise ServerError("a budget must be a number of submissions or hints, 0 or more")
    if not run or len(run) > 500:
        raise ServerError("a run needs a name of at most 500 characters")
    place = None if repository is None else Path(repository).absolute()
    return store.issue(Token(run, problem, own_budget if budget is None else budget, level, place, hints))


def records(store: Store, run: str | None = None, problem: str | None = None) -> list[Record]:
    """All submissions, or those of a run."""
    numbers: dict[tuple[str, str], int] = {}
    found = []
    for entry in store.entries(run=run, problem=problem):
        number = numbers[entry.run, entry.problem] = numbers.get((entry.run, entry.problem), 0) + 1
        found.append(_record(store, entry, number))
    return found


def _record(store: Store, entry: Entry, number: int) -> Record:
    names = set(Record.__struct_fields__) & set(Entry.__struct_fields__)
    fields = {name: getattr(entry, name) for name in names - {"judgement", "earlier"}}
    return Record(
        number=number,
        kind=entry.submission.kind,
        payload=payload(store.directory / "content" / entry.content, entry.submission),
        revision=entry.submission.revision,
        judgement=None if entry.state == "aborted" else entry.judgement,
        earlier=store.earlier(entry.id),
        **fields,
    )


@contextlib.contextmanager
def locked(data: Path) -> Iterator[None]:
    """Lock the directory for this process. Raises: ServerError."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd = os.open(data / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ServerError(f"{data}: {error.strerror}; give another --data directory") from None
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ServerError(f"{data}: another server uses it; give another --data directory") from None
        yield
    finally:
        os.close(fd)
