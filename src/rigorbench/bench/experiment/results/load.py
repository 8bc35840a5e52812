"""Reads experiments, Parquet files and databases into one set of tables."""

from __future__ import annotations

from collections.abc import Callable

from .read import ResultTables, Tell, merged
from .sources import ResultSources, each_experiment


def read_all(
    sources: ResultSources,
    tell: Tell,
    *,
    now: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ResultTables:
    """Experiments, tasks and runs of all sources, each experiment once: what a leaderboard is made from."""
    found = list(each_experiment(sources, tell, deep=False, now=now, progress=progress))
    if sources.parquet or sources.databases:
        from .database import database_rows
        from .parquet import parquet_rows

        for files in sources.parquet:
            tables = parquet_rows(files, tell)
            if tables is not None:
                found.append((str(next(iter(files.values()))[0].parent), tables))
        for path in sources.databases:
            tables = database_rows(path, tell)
            if tables is not None:
                found.append((str(path), tables))
    return merged(found, tell)
