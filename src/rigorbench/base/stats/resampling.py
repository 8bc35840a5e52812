"""Resampling of tasks: the draws of a bootstrap, and an interval from them.

Draws use only the bit stream of PCG64, which NumPy guarantees never to change: the same input gives the same figures
with another version of NumPy.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

Array = NDArray[np.float64]

SEED = 20_260
LEVEL = 0.95
RESAMPLES = 10_000
# With fewer tasks an interval over tasks would only repeat the values of the tasks.
FEWEST_TASKS = 3
# A statistic that is undefined in a larger share of the draws has no interval, which would be biased.
MOST_UNDEFINED = 0.05
# Sums of floats that should be equal differ in the last digits.
EQUAL = 1e-9
_KEPT_DRAWS = 16_000_000


def uniform(size: int, seed: int = SEED) -> Array:
    """``size`` numbers in (0, 1), none of them 0 or 1."""
    raw: Any = np.random.PCG64(seed).random_raw(size)
    numbers: Array = ((raw >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return numbers


def weights(tasks: int, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """How often each task is drawn, with replacement (Efron 1979): ``resamples`` rows, each summing to ``tasks``."""
    return _kept(tasks, resamples, seed) if tasks * resamples <= _KEPT_DRAWS else _counted(tasks, resamples, seed)


def _counted(tasks: int, resamples: int, seed: int) -> Array:
    drawn = (uniform(tasks * resamples, seed) * tasks).astype(np.int64)
    row = np.repeat(np.arange(resamples) * tasks, tasks)
    counts = np.bincount(row + drawn, minlength=resamples * tasks).reshape(resamples, tasks).astype(np.float64)
    counts.setflags(write=False)
    return counts


# Most measures and pairs of an experiment have the same number of tasks.
_kept = lru_cache(maxsize=6)(_counted)


def tail(tasks: int) -> float:
    """The quantile at which a percentile interval over ``tasks`` tasks ends so that it is not too narrow.

    Phi(sqrt(n / (n - 1)) t), with t the quantile of Student's distribution with n - 1 degrees of freedom (the *expanded
    percentile interval* of Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 5.4): a plain
    percentile interval is as narrow as one from the normal distribution with n in place of n - 1.
    """
    return float(ndtr(math.sqrt(tasks / (tasks - 1)) * stdtrit(tasks - 1, (1 - LEVEL) / 2)))


def interval(draws: Array, tasks: int) -> tuple[float, float] | None:
    """The expanded percentile interval of a statistic; None where too many draws have no value (nan)."""
    known = draws[~np.isnan(draws)]
    if tasks < FEWEST_TASKS or len(known) < (1 - MOST_UNDEFINED) * len(draws):
        return None
    share = tail(tasks)
    low, high = np.quantile(known, [share, 1 - share])
    return float(low), float(high)


def signs(values: Array) -> Array:
    """-1, 0 or 1; what only rounding tells from 0 is 0."""
    found: Array = np.where(np.abs(values) <= EQUAL, 0.0, np.sign(values))
    return found
