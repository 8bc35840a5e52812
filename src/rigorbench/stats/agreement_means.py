"""Means of ratings and differences of means, with bootstrap intervals over clusters (cases or sessions)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .agreement import Estimate
from .resampling import FEWEST_TASKS, LEVEL, SEED, interval, weights

_Floats = NDArray[np.float64]
RESAMPLES = 2_000


def mean(
    values: Sequence[float],
    clusters: Sequence[str],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """The mean of all values, each counting the same; clusters are resampled whole.

    Raises:
        ValueError: not one cluster per value.
    """
    total, number = _sums(values, clusters, np.ones(len(values)))
    if not len(values):
        return Estimate(reason="nothing to average")
    w = _draws(len(total), resamples, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = (w @ total) / (w @ number)
    return _estimate(float(total.sum() / number.sum()), draws, len(total), level)


def difference(
    values: Sequence[float],
    first: Sequence[bool],
    clusters: Sequence[str],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """The mean of the values for which ``first`` is true minus the mean of the others; a cluster may have both.

    Raises:
        ValueError: the three are not of one length.
    """
    if len(first) != len(values):
        raise ValueError(f"{len(first)} marks for {len(values)} values")
    mark = np.array(first, dtype=np.float64)
    a, n = _sums(values, clusters, mark)
    b, m = _sums(values, clusters, 1 - mark)
    if not n.sum() or not m.sum():
        return Estimate(reason="one side of the difference is empty")
    w = _draws(len(a), resamples, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = (w @ a) / (w @ n) - (w @ b) / (w @ m)
    return _estimate(float(a.sum() / n.sum() - b.sum() / m.sum()), draws, len(a), level)


def _sums(values: Sequence[float], clusters: Sequence[str], mark: _Floats) -> tuple[_Floats, _Floats]:
    """Per cluster: sum of the marked values, and how many there are."""
    if len(clusters) != len(values):
        raise ValueError(f"{len(clusters)} clusters for {len(values)} values")
    names = {name: n for n, name in enumerate(dict.fromkeys(clusters))}
    place = np.array([names[name] for name in clusters], dtype=np.int64)
    weighed = np.array(values, dtype=np.float64) * mark
    total = np.zeros(len(names)), np.zeros(len(names))
    np.add.at(total[0], place, weighed)
    np.add.at(total[1], place, mark)
    return total


def _draws(clusters: int, resamples: int, seed: int) -> _Floats:
    return weights(clusters, resamples, seed) if clusters >= FEWEST_TASKS else np.empty((0, clusters))


def _estimate(value: float, draws: _Floats, clusters: int, level: float) -> Estimate:
    if clusters < FEWEST_TASKS:
        return Estimate(value, reason=f"fewer than {FEWEST_TASKS} clusters: no interval")
    if np.isfinite(draws).any() and np.nanmax(draws) - np.nanmin(draws) < 1e-12:
        return Estimate(value, reason="no interval: every resample gives this value")
    found = interval(draws, clusters, level)
    if found is None:
        return Estimate(value, reason="no interval: one side is missing in too many resamples")
    return Estimate(value, *found)
