"""Scores a corpus: finds the logs, leaves out what the tables already have, scores the rest, writes the tables."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct, field

from ...session.discovery import FileTally
from ...session.logfile import LogError
from ...session.registry import discover
from .executors import cores, in_processes, in_ray
from .scoring import CorpusOptions, LogOutcome, Order, ScoringWork
from .tables import CorpusTables, order_for

# Logs in a part by default: what a killed run loses at most.
PART = 500


class CorpusSummary(Struct):
    """What a run did, in logs: found, left as they were, scored, without a session; ``known_failures`` had failed
    before.

    ``parts``: files in directories that belong to one of the logs. ``ignored``: files in directories that are no logs,
    and directories that were not entered. ``inputs``: all of these. ``repeats``: sessions with the id of another one.
    ``seconds``: spent on scoring.
    """

    logs: int = 0
    skipped: int = 0
    scored: int = 0
    trajectories: int = 0
    failed: int = 0
    known_failures: int = 0
    parts: int = 0
    ignored: int = 0
    inputs: int = 0
    ignored_because: dict[str, int] = field(default_factory=dict)
    repeats: int = 0
    seconds: float = 0.0


def score_corpus(
    paths: Iterable[str],
    out: Path,
    options: CorpusOptions,
    *,
    jobs: int | None = None,
    executor: str = "processes",
    address: str | None = None,
    part: int = PART,
    on_progress: Callable[[int, int | None], None] = lambda _done, _total: None,
    on_failure: Callable[[str], None] = lambda _: None,
    on_suspicious: Callable[[str], None] = lambda _: None,
) -> CorpusSummary:
    """Scores the logs under ``paths`` into the tables in ``out``, except those that the tables already have.

    A log is identified by its path. It is scored again if its content has changed, or if it was scored by another
    version or with other options.

    Args:
        jobs: how many at a time (None: the number of processors, at most 8 in processes).
        address: of a Ray cluster (None: a temporary one on this machine), for the executor "ray".
        on_progress: called after each log with how many are done, of how many; None: they are still being found.
        on_failure: called with one line for each log that failed in this run.
        on_suspicious: called with one line for each ignored file that may well be a log.

    Raises:
        CorpusError: the tables cannot be read or written.
        ExecutorError: the work cannot be distributed.
    """
    work = ScoringWork(options, options.fingerprint)
    summary, tally = CorpusSummary(), FileTally(on_suspicious)
    tables = CorpusTables(out, work.fingerprint)
    try:
        total = tables.plan(_found(paths, tables, work, summary, tally, on_progress, on_failure))
        start = time.monotonic()
        # What was scored so far is kept, whatever ends this.
        try:
            if total:
                if executor == "ray":
                    outcomes = in_ray(tables.planned(), work, jobs, address)
                else:
                    outcomes = in_processes(tables.planned(), work, jobs or min(cores(), 8))
                with closing(outcomes):
                    for done, outcome in enumerate(outcomes, 1):
                        _take(outcome, tables, summary, on_failure)
                        if tables.buffered >= part:
                            tables.flush()
                        on_progress(done, total)
        finally:
            tables.flush()
            summary.seconds = time.monotonic() - start if total else 0.0
        summary.repeats = repeats(path for _, path in tables.parts("scores"))
    finally:
        tables.close()
    summary.parts, summary.ignored = tally.parts, tally.ignored.total()
    summary.ignored_because = dict(sorted(tally.ignored.items()))
    summary.inputs = summary.logs + summary.parts + summary.ignored
    return summary


def _found(
    paths: Iterable[str],
    tables: CorpusTables,
    work: ScoringWork,
    summary: CorpusSummary,
    tally: FileTally,
    on_progress: Callable[[int, int | None], None],
    on_failure: Callable[[str], None],
) -> Iterator[Order]:
    for found in discover(paths, tally):
        if isinstance(found, LogError):
            # There is nothing to give to a worker.
            outcome = work.failed(os.path.abspath(found.file), str(found), lasting=False)
            _take(outcome, tables, summary, on_failure)
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
        on_progress(summary.logs, None)


def _take(outcome: LogOutcome, tables: CorpusTables, summary: CorpusSummary, on_failure: Callable[[str], None]) -> None:
    tables.add(outcome)
    summary.logs += 1
    if outcome.kind == "scores":
        summary.scored += 1
        summary.trajectories += len(outcome.rows)
    elif outcome.kind == "failures":
        summary.failed += 1
        on_failure(str(outcome.rows[0][-2]))
    else:
        summary.skipped += 1


def repeats(parts: Iterable[Path]) -> int:
    """How many sessions of tables of scores have the id of another one.

    Ids without a digit are left out: they are names of files ("trajectory"), which many logs share.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    chunks = [chunk for part in parts for chunk in pq.read_table(part, columns=["id"])["id"].chunks]
    ids = pa.chunked_array(chunks, pa.string())
    ids = ids.filter(pc.match_substring_regex(ids, "[0-9]"))
    return len(ids) - int(pc.count_distinct(ids).as_py())
