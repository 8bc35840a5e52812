"""Directories of experiments, read into one set of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .read import Tables, Tell, merged, read_experiment
from .sources import Sources


def read_experiments(
    sources: Sources,
    tell: Tell,
    *,
    now: float | None = None,
) -> Tables:
    """The rows of all directories of experiments, each experiment once, with sub-metrics and hidden tests.

    Args:
        now: seconds since the epoch; what claims to be later by more than a day has a wrong clock.
    """
    return merged(list(_experiments(sources, tell, True, now, None)), tell)


def _experiments(
    sources: Sources, tell: Tell, deep: bool, now: float | None, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[str, Tables]]:
    for number, (directory, place) in enumerate(sources.experiments, 1):
        tables = read_experiment(directory, place, tell, deep=deep, now=now)
        if tables is not None:
            yield str(directory), tables
        if progress is not None:
            progress(number, len(sources.experiments))
