"""The difference between two conditions, taken within tasks: its size, an interval over tasks, a permutation test, and
p-values adjusted for several tests at once.

The unit is the task: repeats make the mean of a task more precise, but do not count as further tasks. Tasks that only
one of the two conditions ran are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from .resampling import EQUAL, FEWEST_TASKS, RESAMPLES, SEED, Array, interval, uniform, weights

# 2^30 ways to exchange the conditions are counted in two halves of 2^15.
EXACT_UP_TO = 30
# An adjusted p-value from here on is not small.
SIGNIFICANT = 0.05


class Effect(Struct, frozen=True):
    """Mean over ``tasks`` tasks of (mean of the first - mean of the second), from ``runs`` runs of both together.

    ``value`` None: no task has values of both. ``low``, ``high``: interval over tasks (:func:`.resampling.interval`);
    None with fewer than three. ``p``: two-sided, of the sign-flip permutation test; ``p_adjusted``: for the family of
    tests that this one belongs to. ``size``: d_z over tasks, corrected for small samples (Hedges 1981). ``exact``:
    whether all 2^tasks ``permutations`` were counted; else they were drawn. ``wins``, ``ties``, ``losses``: tasks.
    ``needed``: tasks that a test would need, where its family cannot reach .05 on as many as there are; p is then None.
    0: there is a test, or none is due (no value, scripted policies).
    """

    value: float | None
    low: float | None
    high: float | None
    tasks: int
    runs: int
    reason: str = ""
    p: float | None = None
    p_adjusted: float | None = None
    size: float | None = None
    exact: bool = False
    permutations: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0
    needed: int = 0


def paired_difference(
    of: Mapping[str, Sequence[float]], minus: Mapping[str, Sequence[float]], *, resamples: int = RESAMPLES
) -> Effect:
    """``of`` minus ``minus``: the values of the runs of two conditions by task.

    The null hypothesis of the test is that the two conditions are exchangeable on each task: then all 2^n ways to flip
    the signs of the n task differences are equally likely (Fisher 1935, section 21; the unit is the task). With fewer
    than three tasks there is neither an interval nor a test nor an effect size.
    """
    shared = sorted(task for task in of if of[task] and minus.get(task))
    runs = sum(len(of[task]) + len(minus[task]) for task in shared)
    if not shared:
        return Effect(None, None, None, 0, 0, "no task has both values")
    differences = np.array([math.fsum(of[t]) / len(of[t]) - math.fsum(minus[t]) / len(minus[t]) for t in shared])
    count = len(shared)
    value = math.fsum(differences) / count
    same = np.abs(differences) <= EQUAL
    wins, ties = int(np.sum(~same & (differences > 0))), int(np.sum(same))
    found = Effect(value, None, None, count, runs, wins=wins, ties=ties, losses=count - wins - ties)
    if count < FEWEST_TASKS:
        return replace(found, reason=f"too few tasks for an interval ({count})")
    size = standardised(differences)
    # If nothing varies, every draw gives the same value, which is no interval.
    ends = interval(weights(count, resamples) @ differences / count, count) if size is not None else None
    low, high = ends or (None, None)
    exact = count <= EXACT_UP_TO
    p = exact_p(differences) if exact else drawn_p(differences, resamples)
    reason = "" if size is not None else "the difference is the same on every task: no interval and no effect size"
    number = 2**count if exact else resamples
    return replace(found, low=low, high=high, reason=reason, p=p, size=size, exact=exact, permutations=number)


def exact_p(differences: Array) -> float:
    """Share of all sign flips whose sum is at least as far from zero as the observed one.

    Sums of each half of the tasks are listed and one list is sorted, so that 2^n pairs are counted in about
    2^(n/2) n steps (Horowitz and Sahni 1974).
    """
    observed = abs(math.fsum(differences))
    slack = EQUAL * (1 + float(np.sum(np.abs(differences))))
    if observed <= slack:
        return 1.0
    half = len(differences) // 2
    first, second = _sums(differences[:half]), np.sort(_sums(differences[half:]))
    above = len(first) * len(second) - int(np.searchsorted(second, observed - slack - first, side="left").sum())
    # For each sum there is its negative.
    return float(2 * above / 2 ** len(differences))


def drawn_p(differences: Array, permutations: int = RESAMPLES) -> float:
    """The same share among random sign flips, the observed one counted among them (Phipson and Smyth 2010)."""
    observed = abs(math.fsum(differences))
    slack = EQUAL * (1 + float(np.sum(np.abs(differences))))
    flipped = _signs(len(differences), permutations) @ differences
    return float((1 + np.sum(np.abs(flipped) >= observed - slack)) / (1 + permutations))


def standardised(differences: Array) -> float | None:
    """Mean in standard deviations, times Hedges' exact correction J(n - 1); None where nothing varies."""
    freedom = len(differences) - 1
    spread = float(np.std(differences, ddof=1))
    if spread <= EQUAL:
        return None
    correction = math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)) / math.sqrt(freedom / 2)
    return float(np.mean(differences)) / spread * correction


def fewest_tasks(alpha: float = SIGNIFICANT) -> int:
    """The fewest tasks with which the smallest two-sided p-value of a sign-flip test, 2 / 2^n, reaches ``alpha``."""
    return max(2, math.ceil(1 - math.log2(alpha) - 1e-12))


def adjusted(p: Sequence[float | None], method: Literal["holm", "bh"] = "holm") -> list[float | None]:
    """The adjusted p-values of a family of tests, in their order. None is no test: it stays None and does not count.

    "holm" keeps the chance of a single false finding in the family below the level, however the tests depend on each
    other (Holm 1979). "bh" keeps the expected share of false findings below it, for tests that are independent or
    positively dependent (Benjamini and Hochberg 1995).
    """
    from scipy.stats import false_discovery_control

    known = np.array([value for value in p if value is not None], dtype=np.float64)
    if method == "bh" and len(known):
        known = false_discovery_control(known)
    else:
        order = np.argsort(known)
        factors = np.arange(len(known), 0, -1)
        known[order] = np.minimum(1, np.maximum.accumulate(known[order] * factors))
    found = iter(known.tolist())
    return [None if value is None else next(found) for value in p]


def _sums(values: Array) -> Array:
    """The sums of ``values`` under all their sign flips."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


@lru_cache(maxsize=4)
def _signs(count: int, permutations: int) -> Array:
    return np.where(uniform(count * permutations, SEED + 1) < 0.5, -1.0, 1.0).reshape(permutations, count)
