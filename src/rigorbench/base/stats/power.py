"""How many repeats, or tasks, are needed to detect a difference between two conditions on the same tasks.

The difference of the means on task t is d + u_t + noise: u_t is how much more or less the first condition gains on this
task than on the average one (standard deviation ``between``), and the noise is that of the repeats (``within``, of a
single run). With T tasks and K repeats of each under each condition the mean difference has the variance
(between^2 + 2 within^2 / K) / T. More repeats reduce only the second part: between^2 / T is a floor that only more
tasks lower.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from scipy.special import nctdtr, ndtr, stdtrit

from .paired import fewest_tasks

ALPHA = 0.05
TARGET = 0.8
REPEATS = 10
MOST_REPEATS = 1_000
MOST_TASKS = 1_000_000
# With more tasks than this the steps of the level are too small to matter.
_FINE = 40


class Components(Struct, frozen=True):
    """Standard deviations estimated from runs: ``within`` from the repeats of ``cells`` cells (``runs`` runs),
    ``between`` from the differences of ``pairs`` pairs of conditions on at most ``tasks`` tasks each.

    ``between`` 0: the repeats explain all variance of the differences. Without ``within`` it has the noise of the
    repeats in it, so it holds for as many repeats as were run. ``reason``: why a part has no value.
    """

    within: float | None
    between: float | None
    cells: int
    runs: int
    pairs: int
    tasks: int
    reason: str = ""


class PowerRow(Struct, frozen=True):
    """The power of ``repeats`` repeats; ``runs``: of both conditions.

    ``smallest``: the smallest difference that has the target power (None: too few tasks for any).
    ``tasks_needed``: for the given difference (None: more than a million).
    """

    repeats: int
    runs: int
    power: float
    smallest: float | None
    tasks_needed: int | None


class PowerPlan(Struct, frozen=True):
    """The answer, under the assumptions ``within`` and ``between``.

    ``repeats_needed``: the fewest on ``tasks`` tasks that reach the power; None: over a thousand, or none.
    ``best_power``: the limit for infinitely many repeats. ``tasks_at_best``: the fewest tasks that can reach it at all.
    With less than ``fewest_tasks`` no permutation test over tasks has a p-value as small as ``alpha``.
    """

    difference: float
    tasks: int
    target: float
    alpha: float
    within: float
    between: float
    rows: list[PowerRow]
    repeats_needed: int | None
    best_power: float
    tasks_at_best: int | None
    fewest_tasks: int


def components(
    values: Mapping[str, Mapping[str, Sequence[float]]],
    pairs: Sequence[tuple[str, str]],
    *,
    within: float | None = None,
) -> Components:
    """Both standard deviations from the ``values`` of runs by condition and task, and the ``pairs`` of conditions.

    ``within`` is pooled over all cells with at least two runs, unless it is given. ``between`` is the variance of the
    task differences beyond the part of the repeats, where that is known, averaged over the pairs.
    """
    cells = [np.asarray(v, dtype=np.float64) for found in values.values() for v in found.values()]
    repeated = [cell for cell in cells if len(cell) > 1]
    runs = sum(map(len, cells))
    freedom = sum(len(cell) - 1 for cell in repeated)
    if within is None and freedom:
        within = math.sqrt(math.fsum(float(((c - c.mean()) ** 2).sum()) for c in repeated) / freedom)
    most, used, total, weight = 0, 0, 0.0, 0
    for a, b in pairs:
        shared = [t for t in values[a] if values[a][t] and values[b].get(t)]
        most = max(most, len(shared))
        if len(shared) < 2:
            continue
        spread = float(np.var([np.mean(values[a][t]) - np.mean(values[b][t]) for t in shared], ddof=1))
        noise = (within or 0.0) ** 2 * float(np.mean([1 / len(values[a][t]) + 1 / len(values[b][t]) for t in shared]))
        total, weight, used = total + (len(shared) - 1) * (spread - noise), weight + len(shared) - 1, used + 1
    single = "no cell has two runs, so that their noise counts as a spread between tasks" if within is None else ""
    reason = single if used else "no two conditions share two tasks"
    between = math.sqrt(max(0.0, total / weight)) if used else None
    return Components(within, between, len(repeated), runs, used, most, reason)


def variance(within: float, between: float, repeats: float) -> float:
    """Variance of the difference of means on one task; ``repeats`` may be infinite."""
    return between**2 + 2 * within**2 / repeats


def power(
    difference: float, tasks: int, repeats: float, *, within: float, between: float, alpha: float = ALPHA
) -> float:
    """Chance that the permutation test over tasks finds a true ``difference`` at level ``alpha``; normal differences.

    With n tasks the test rejects at k / 2^(n-1), the largest such level up to ``alpha``. For k = 1 it rejects where
    all tasks have the same sign, and its power is exact: F^n + (1 - F)^n with F = P(a difference is above 0). Else
    it is that of Student's t at the level k / 2^(n-1), by the noncentral t distribution. Simulations agree within
    about .02 at alpha .05; at .05 / 6 it is up to .06 too high with nine or ten tasks. No power with fewer tasks than
    :func:`fewest_tasks`.

    Raises:
        ValueError: a standard deviation below 0, fewer than 2 tasks, or no repeat.
    """
    if within < 0 or between < 0 or tasks < 2 or repeats < 1 or not 0 < alpha < 1:
        raise ValueError("standard deviations from 0, at least 2 tasks, at least 1 repeat, alpha in (0, 1)")
    if tasks < fewest_tasks(alpha):
        return 0.0
    if difference == 0:
        return level(tasks, alpha)
    spread = math.sqrt(variance(within, between, repeats))
    if spread == 0:
        return 1.0
    if level(tasks, alpha) == 2.0 ** (1 - tasks):
        above = float(ndtr(difference / spread))
        return above**tasks + (1 - above) ** tasks
    shift = abs(difference) / spread * math.sqrt(tasks)
    limit = -stdtrit(tasks - 1, level(tasks, alpha) / 2)
    # SciPy gives nan for chances that are nil, far below the centre.
    below_upper, below_lower = np.nan_to_num(nctdtr(tasks - 1, shift, [limit, -limit]))
    return float(1 - below_upper + below_lower)


def level(tasks: int, alpha: float = ALPHA) -> float:
    """The level that a two-sided sign-flip test over ``tasks`` tasks has: up to ``alpha``, in steps of 2^(1-tasks)."""
    if tasks > _FINE:
        return alpha
    ways = 2.0 ** (tasks - 1)
    return math.floor(alpha * ways + 1e-9) / ways


def plan(
    difference: float, tasks: int, *, within: float, between: float, target: float = TARGET, alpha: float = ALPHA,
    repeats: int = REPEATS,
) -> PowerPlan:  # fmt: skip
    """How many repeats, or tasks, a ``difference`` takes; a row for each of 1 to ``repeats`` repeats.

    Raises:
        ValueError: as :func:`power`; ``difference`` not above 0; ``target`` not between ``alpha`` and 1.
    """
    if difference <= 0 or not 0 < alpha < target < 1:
        raise ValueError("the difference must be above 0, and the power between alpha, itself above 0, and 1")

    def reached(count: int, k: float, size: float = difference) -> float:
        return power(size, count, k, within=within, between=between, alpha=alpha)

    def tasks_for(k: float) -> int | None:
        return tasks_needed(difference, within=within, between=between, repeats=k, target=target, alpha=alpha)

    def row(k: int) -> PowerRow:
        smallest = _smallest(lambda size: reached(tasks, k, size), target) if tasks >= fewest_tasks(alpha) else None
        return PowerRow(k, 2 * tasks * k, reached(tasks, k), smallest, tasks_for(k))

    rows = [row(k) for k in range(1, repeats + 1)]
    best = reached(tasks, math.inf)
    needed = _first(lambda k: reached(tasks, k) >= target, 1, MOST_REPEATS) if best >= target else None
    return PowerPlan(
        difference, tasks, target, alpha, within, between, rows, needed, best, tasks_for(math.inf), fewest_tasks(alpha)
    )


def tasks_needed(
    difference: float, *, within: float, between: float, repeats: float, target: float = TARGET, alpha: float = ALPHA
) -> int | None:
    """The fewest tasks on which the test finds a ``difference`` with the power ``target``; None: over a million."""
    return _first(
        lambda count: power(difference, count, repeats, within=within, between=between, alpha=alpha) >= target,
        fewest_tasks(alpha),
        MOST_TASKS,
    )


def _first(holds: Callable[[int], bool], low: int, most: int) -> int | None:
    """The smallest number from ``low`` to ``most`` for which ``holds`` is true, as it must be for all larger ones."""
    numbers = range(low, most + 1)
    place = bisect_left(numbers, True, key=holds)
    return numbers[place] if place < len(numbers) else None


def _smallest(reach: Callable[[float], float], target: float) -> float:
    """The smallest difference with ``target`` power; 1e-9 where any difference has it."""
    from scipy.optimize import brentq

    high = 1e-9
    while reach(high) < target:
        high *= 2
    return float(brentq(lambda size: reach(size) - target, high / 2, high)) if high > 1e-9 else high
