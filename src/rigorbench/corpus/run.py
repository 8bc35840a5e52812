"""A corpus from end to end: find the logs, leave out what is there, score the rest, write the tables."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from ..trajectory.logfile import LogError
from ..trajectory.registry import discover
from .executors import cores, in_processes, in_ray
from .scoring import Options, Order, Outcome, Work
from .tables import Tables, order_for

# Logs in a part, unless said otherwise: what is lost at most when a run is killed.
PART = 500


class Summary(Struct):
    """What a run did. ``logs`` were found, of them ``skipped`` are in the tables as they are and were left alone;
    ``trajectories``: sessions in the ``scored`` logs; ``failed``: logs that gave none; ``known_failures``: those of
    the skipped ones that had failed before. ``seconds``: of scoring, without looking for logs."""

    logs: int = 0
    skipped: int = 0
    scored: int = 0
    trajectories: int = 0
    failed: int = 0
    known_failures: int = 0
    seconds: float = 0.0


class Progress(Struct):
    """``total`` None: still looking for logs, ``done`` of which were found."""

    done: int
    total: int | None
    failed: int
    seconds: float


def score_corpus(
    paths: Iterable[str],
    out: Path,
    options: Options,
    *,
    jobs: int | None = None,
    executor: str = "processes",
    address: str | None = None,
    part: int = PART,
    tell: Callable[[Progress], None] = lambda _: None,
    complain: Callable[[str], None] = lambda _: None,
) -> Summary:
    """Score the logs under ``paths`` into the tables in ``out``, but those that stand there already.

    A log is known by its path. It is scored again when its content has changed, and when it was scored by another
    version, or with other options.

    Args:
        paths: files, directories, globs.
        out: the directory of the tables; made when it is not there.
        options: how to score.
        jobs: how many at a time (None: as there are processors, at most 8 in processes).
        executor: "processes" or "ray".
        address: of a Ray cluster (None: one of our own on this machine).
        part: logs in a part.
        tell: called now and then.
        complain: called with one line for each log that failed now.

    Raises:
        CorpusError: the tables cannot be read or written.
        ExecutorError: the work cannot be given out.
    """
    work = Work(options, options.fingerprint)
    summary = Summary()
    tables = Tables(out, work.fingerprint)
    try:
        total = tables.plan(_found(paths, tables, work, summary, tell, complain))
        if total:
            _score(tables, work, total, summary, jobs, executor, address, part, tell, complain)
        elif tables.buffered:
            tables.flush()
    finally:
        tables.close()
    return summary


def _score(
    tables: Tables,
    work: Work,
    total: int,
    summary: Summary,
    jobs: int | None,
    executor: str,
    address: str | None,
    part: int,
    tell: Callable[[Progress], None],
    complain: Callable[[str], None],
) -> None:
    if executor == "ray":
        outcomes = in_ray(tables.planned(), work, jobs, address)
    else:
        outcomes = in_processes(tables.planned(), work, jobs or min(cores(), 8))
    start, done = time.monotonic(), 0
    # Whatever ends this, what was scored so far is kept.
    try:
        with closing(outcomes):
            for done, outcome in enumerate(outcomes, 1):
                _take(outcome, tables, summary, complain)
                if tables.buffered >= part:
                    tables.flush()
                summary.seconds = time.monotonic() - start
                tell(Progress(done, total, summary.failed, summary.seconds))
    finally:
        tables.flush()
    summary.seconds = time.monotonic() - start


def _found(
    paths: Iterable[str],
    tables: Tables,
    work: Work,
    summary: Summary,
    tell: Callable[[Progress], None],
    complain: Callable[[str], None],
) -> Iterator[Order]:
    for found in discover(paths):
        if isinstance(found, LogError):
            # Nothing that could be given to a worker.
            outcome = work.failed(os.path.abspath(found.file), str(found), lasting=False)
            _take(outcome, tables, summary, complain)
            continue
        assert found.path is not None
        path = Path(os.path.abspath(found.path))
        order = order_for(tables, path, found.reader)
        if order is not None:
            yield order
        else:
            summary.logs += 1
            summary.skipped += 1
            known = tables.known(str(path))
            summary.known_failures += known is not None and known.kind == "failures"
        tell(Progress(summary.logs, None, summary.failed, 0.0))


def _take(outcome: Outcome, tables: Tables, summary: Summary, complain: Callable[[str], None]) -> None:
    tables.add(outcome)
    summary.logs += 1
    if outcome.kind == "scores":
        summary.scored += 1
        summary.trajectories += len(outcome.rows)
    elif outcome.kind == "failures":
        summary.failed += 1
        complain(str(outcome.rows[0][-2]))
    else:
        summary.skipped += 1
