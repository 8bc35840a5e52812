"""What the judge's owner does with a server's directory: tokens, all results, old submissions.

A server may run meanwhile, except for `rejudge`. What a submission cost never changes, and verdicts are never deleted.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct, structs

from ..judgement import JudgeError
from ..problems.problem import Problem
from ..problems.verdicts import Verdict
from .content import Contents, payload
from .records import FEEDBACKS, Earlier, ServerError, StoredSubmission, Token
from .store import SubmissionStore
from .work import JudgeFunction

# Name of the file with the server's address; it exists while the server runs.
ADDRESS = "address"


class OwnerRecord(StoredSubmission, frozen=True, kw_only=True):
    """Everything about a submission, for the judge's owner, independent of what its author was shown.

    `judgement`: None before the end and after an abort; after a failure of the judge, it may be incomplete.
    """

    number: int
    """From 1, in the order of the run's submissions to its problem."""
    kind: str
    payload: Path
    """The file that was sent; for a revision of the token's repository, the bare repository made from it."""
    counted: bool = True
    """It uses budget; every submission does."""
    revision: str | None = None
    earlier: tuple[Earlier, ...] = ()
    """What was replaced by `judgement` when it was judged again, oldest first."""


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
    store: SubmissionStore,
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


def records(store: SubmissionStore, run: str | None = None, problem: str | None = None) -> list[OwnerRecord]:
    """All submissions, or those of a run."""
    numbers: Counter[tuple[str, str]] = Counter()
    found = []
    for entry in store.entries(run=run, problem=problem):
        numbers[entry.run, entry.problem] += 1
        found.append(
            OwnerRecord(
                number=numbers[entry.run, entry.problem],
                kind=entry.submission.kind,
                payload=payload(store.directory / "content" / entry.content, entry.submission),
                revision=entry.submission.revision,
                earlier=store.earlier(entry.id),
                **structs.asdict(entry) | ({"judgement": None} if entry.state == "aborted" else {}),
            )
        )
    return found


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


# -- old submissions -----------------------------------------------------------------------------------------------


class Pruned(Struct, frozen=True):
    """A submission whose files were deleted, or would be. ``finished``: seconds since 1970."""

    id: int
    run: str
    problem: str
    finished: float
    bytes: int


def prune(
    store: SubmissionStore,
    contents: Contents,
    *,
    older: float | None = None,
    keep: int | None = None,
    dry: bool = False,
) -> tuple[list[Pruned], int]:
    """Delete files of submissions that are over.

    `older`: those that were over so many seconds ago or more. `keep`: the oldest ones, until all files have at most so
    many bytes. `dry`: only say which. Returns: what was deleted, oldest first, and the bytes that remain.
    """
    now = time.time()
    entries = [entry for entry in store.entries() if entry.pruned is None]
    sizes = {entry.id: _size(contents, entry) for entry in entries}
    left = sum(sizes.values())
    found = []
    for entry in sorted((e for e in entries if e.over), key=lambda e: (e.finished or e.created, e.id)):
        finished = entry.finished or entry.created
        if (older is not None and now - finished >= older) or (keep is not None and left > keep):
            # First the note: what a crash leaves behind, the next server removes.
            if dry or store.prune(entry.id):
                found.append(Pruned(entry.id, entry.run, entry.problem, finished, sizes[entry.id]))
                left -= sizes[entry.id]
            if not dry:
                contents.drop(entry.content)
    return found, left


def _size(contents: Contents, entry: StoredSubmission) -> int:
    """Bytes on disk."""
    blocks = 0
    for directory, _, files in os.walk(contents.path(entry.content)):
        for path in (directory, *(os.path.join(directory, name) for name in files)):
            try:
                blocks += os.lstat(path).st_blocks
            except OSError:
                continue
    return blocks * 512


class Rejudged(Struct, frozen=True):
    """A submission that was judged again."""

    id: int
    run: str
    problem: str
    was: Verdict | None
    score_was: float | None
    """Verdict and score before; None: the judge had failed."""
    now: Verdict | None = None
    score: float | None = None
    """Verdict and score by the package as it is; None: the old ones stay, for the `reason`."""
    reason: str | None = None


def rejudge(
    store: SubmissionStore,
    problems: Mapping[str, Problem],
    judge: JudgeFunction | None,
    *,
    everything: bool = False,
    run: str | None = None,
) -> Iterator[Rejudged]:
    """Judge submissions again that were judged by another package, or on which the judge failed; or all of them.

    An old verdict is replaced, and kept, once there is a new one. `judge`: None: only which they are.
    """
    for entry in store.entries(run=run):
        problem = problems.get(entry.problem)
        old = entry.judgement if entry.state == "done" else None
        same = problem is not None and old is not None and old.package == problem.digest
        if problem is None or entry.state not in ("done", "failed") or (same and not everything):
            continue
        verdict, score = (None, None) if old is None else (old.verdict, old.score)
        row = Rejudged(entry.id, entry.run, entry.problem, verdict, score)
        if judge is None:
            yield row
            continue
        try:
            if entry.pruned is not None:
                raise JudgeError("its files have been deleted")
            judgement = judge(problem, entry.submission, lambda: False)
            if judgement.verdict == "judge_error":
                raise JudgeError("the judge failed on it")
            if not store.replace(entry.id, judgement):
                raise JudgeError("it was aborted meanwhile")
            yield structs.replace(row, now=judgement.verdict, score=judgement.score)
        except JudgeError as error:
            yield structs.replace(row, reason=str(error))
