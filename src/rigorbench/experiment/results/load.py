"""One set of tables from all the places where results are."""

from __future__ import annotations

from collections.abc import Callable

from .read import Tables, Tell, merged
from .reading import _experiments
from .sources import Sources


def read_all(
    sources: Sources,
    tell: Tell,
    *,
    now: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tables:
    """Experiments, tasks and runs of everything: what a leaderboard is made from. Each experiment is there once."""
    found = list(_experiments(sources, tell, False, now, progress))
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
