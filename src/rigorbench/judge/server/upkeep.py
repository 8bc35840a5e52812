"""What the judge's owner does with old submissions: delete their files, and judge them again by a changed package.

Neither changes what a submission cost, and verdicts are never deleted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, structs

from ...problems.model import Problem
from ...problems.verdicts import Verdict
from ..model import JudgeError
from .content import Contents
from .model import Entry
from .store import Store
from .work import JudgeFunction


class Pruned(Struct, frozen=True):
    """A submission whose files were deleted, or would be. ``finished``: seconds since 1970."""

    id: int
    run: str
    problem: str
    finished: float
    bytes: int


def prune(
    store: Store, contents: Contents, *, older: float | None = None, keep: int | None = None, dry: bool = False
) -> tuple[list[Pruned], int]:
    """Delete files of submissions that are over.

    Args:
        older: those that were over so many seconds ago or more.
        keep: the oldest ones, until all files have at most so many bytes.
        dry: only say which.

    Returns:
        What was deleted, oldest first, and the bytes that remain.
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


def _size(contents: Contents, entry: Entry) -> int:
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
    """A submission that was judged again.

    Attributes:
        was, score_was: verdict and score before; None: the judge had failed.
        now, score: verdict and score by the package as it is; None: the old ones stay, for the `reason`.
    """

    id: int
    run: str
    problem: str
    was: Verdict | None
    score_was: float | None
    now: Verdict | None = None
    score: float | None = None
    reason: str | None = None


Scope = Literal["changed", "all"]


def to_rejudge(store: Store, problems: Mapping[str, Problem], scope: Scope, run: str | None = None) -> list[Entry]:
    """Submissions to these problems that were judged by another package, or on which the judge failed; "all": all."""
    return [
        entry
        for entry in store.entries(run=run)
        if entry.state in ("done", "failed")
        and (found := problems.get(entry.problem)) is not None
        and (
            scope == "all"
            or entry.state == "failed"
            or (entry.judgement is not None and entry.judgement.package != found.digest)
        )
    ]


def rejudge(
    store: Store, problems: Mapping[str, Problem], entries: list[Entry], judge: JudgeFunction
) -> Iterator[Rejudged]:
    """Judge submissions again. An old verdict is replaced, and kept, once there is a new one."""
    for entry in entries:
        yield _again(store, problems[entry.problem], entry, judge)


def as_it_was(entry: Entry) -> Rejudged:
    """The row of a submission before it is judged again."""
    old = entry.judgement if entry.state == "done" else None
    verdict, score = (None, None) if old is None else (old.verdict, old.score)
    return Rejudged(entry.id, entry.run, entry.problem, verdict, score)


def _again(store: Store, problem: Problem, entry: Entry, judge: JudgeFunction) -> Rejudged:
    row = as_it_was(entry)
    if entry.pruned is not None:
        return structs.replace(row, reason="its files have been deleted")
    try:
        judgement = judge(problem, entry.submission, lambda: False)
    except JudgeError as error:
        return structs.replace(row, reason=str(error))
    if judgement.verdict == "judge_error":
        return structs.replace(row, reason="the judge failed on it")
    if not store.replace(entry.id, judgement):
        return structs.replace(row, reason="it was aborted meanwhile")
    return structs.replace(row, now=judgement.verdict, score=judgement.score)
