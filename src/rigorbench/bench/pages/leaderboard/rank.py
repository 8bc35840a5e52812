"""Ranks with their uncertainty: paired differences between all entries of a board, by resampling tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ....base.stats.resampling import FEWEST_TASKS, SEED, interval, tail, weights

Array = NDArray[np.float64]
# A board may have hundreds of entries and so many thousands of pairs.
RESAMPLES = 2_000
_ROUNDS = 100
# Figures are kept with six decimals; sums that should be equal differ in the last bits of a float.
_NOTHING = 5e-7


class PairedDifferences(Struct):
    """``value[i, j]``: mean over the shared tasks of entry i minus entry j; ``low``, ``high``: its interval, nan where
    fewer than three tasks are shared; ``shared``: the number of these tasks."""

    value: Array
    low: Array
    high: Array
    shared: NDArray[np.int64]


def matrix(entries: Sequence[Mapping[str, float]]) -> Array:
    """Entries by tasks (in the order of their names); nan where an entry has no value on a task."""
    tasks = sorted({task for entry in entries for task in entry})
    return np.array([[entry.get(t, np.nan) for t in tasks] for entry in entries], dtype=np.float64).reshape(
        len(entries), len(tasks)
    )


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """95 % interval of a mean over tasks (expanded percentile bootstrap); None with fewer than three tasks."""
    count = len(values)
    return interval(weights(count, RESAMPLES) @ np.array(values) / count, count) if count >= FEWEST_TASKS else None


def _draws(values: Array) -> Array:
    """Of each row the means over resampled columns."""
    count = values.shape[1]
    found: Array = values @ weights(count, RESAMPLES, SEED).T / count
    return found


def _ends(draws: Array, tasks: int) -> tuple[Array, Array]:
    share = tail(tasks)
    low, high = np.quantile(draws, [share, 1 - share], axis=1, overwrite_input=True)
    return low, high


def differences(values: Array) -> PairedDifferences:
    """All paired differences of the rows of :func:`matrix`, each over the tasks that both entries have."""
    count = len(values)
    known = ~np.isnan(values)
    value, low, high = (np.full((count, count), np.nan) for _ in range(3))
    shared = np.zeros((count, count), dtype=np.int64)
    # If an entry has all tasks, its draws are used for all its pairs: a draw of a difference is one of these.
    whole = _draws(values) if values.shape[1] >= FEWEST_TASKS else None
    for one in range(count):
        # Entries that share the same tasks with this one, mostly all, are computed together.
        groups: dict[bytes, list[int]] = {}
        for other in range(one + 1, count):
            groups.setdefault((known[one] & known[other]).tobytes(), []).append(other)
        for pattern, members in groups.items():
            others = np.asarray(members)
            columns = np.flatnonzero(np.frombuffer(pattern, dtype=bool))
            tasks = len(columns)
            shared[one, others] = shared[others, one] = tasks
            if not tasks:
                continue
            found = values[one, columns] - values[others][:, columns]
            value[one, others] = found.mean(axis=1)
            value[others, one] = -value[one, others]
            if tasks >= FEWEST_TASKS:
                every = whole is not None and tasks == values.shape[1]
                draws = whole[one] - whole[others] if every and whole is not None else _draws(found)
                low[one, others], high[one, others] = _ends(draws, tasks)
                low[others, one], high[others, one] = -high[one, others], -low[one, others]
    return PairedDifferences(value, low, high, shared)


def adjusted(values: Array) -> Array:
    """Means of the rows as if each had all columns: row effects of the additive model value = row + column.

    By alternating least squares; where nothing is missing these are the plain means. An entry gains nothing by
    leaving out tasks that are hard for all.
    """
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    by_row, by_column = np.maximum(known.sum(axis=1), 1), np.maximum(known.sum(axis=0), 1)
    columns = np.zeros(values.shape[1])
    rows = np.zeros(len(values))
    for _ in range(_ROUNDS):
        rows = ((filled - columns) * known).sum(axis=1) / by_row
        columns = ((filled - rows[:, None]) * known).sum(axis=0) / by_column
    shift: float = float(columns.mean()) if columns.size else 0.0
    return rows + shift


def rank_ranges(found: PairedDifferences) -> list[tuple[int, int]]:
    """The best and the worst rank of each entry: past those surely better, and before those surely worse."""
    better = np.nan_to_num(found.low, nan=-1.0) > _NOTHING
    count = len(better)
    return [(1 + int(better[:, n].sum()), count - int(better[n].sum())) for n in range(count)]
