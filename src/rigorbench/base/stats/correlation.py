"""The correlation of two values of the same runs: over all runs, and within tasks.

Pooled over tasks, a correlation mixes two effects: easy tasks have high values of both, and of two runs of one task the
one with the higher first value has the higher second value. The two may differ even in sign (Simpson 1951), so both are
given; only the one within tasks describes ways of working.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from .resampling import FEWEST_TASKS, Array, interval, uniform, weights

# Fewer than for the mean of a difference, because each draw ranks all points again.
RESAMPLES = 2_000
FEWEST_POINTS = 3
# Shuffles behind the p-value within tasks.
PERMUTATIONS = 2_000
# A spread that is this small relative to the values is rounding.
_CONSTANT = 1e-12
_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "slope": "the slope"}


class RunPair(Struct, frozen=True):
    """Two values of one run of a task."""

    task: str
    x: float
    y: float


class Correlation(Struct, frozen=True, kw_only=True):
    """Pearson's r, Spearman's rho and the line y = ``slope`` x + ``intercept`` by least squares, with their intervals.

    ``p`` of Pearson's r, two-sided: over all points that of the t test, which takes points for independent although
    those of a task are not (the intervals do not); within tasks, that of exchanging the second values among the points
    of each task. ``n`` points on ``tasks`` tasks. ``reason``: why a value is missing; "" if none is.
    """

    pearson: float | None = None
    pearson_low: float | None = None
    pearson_high: float | None = None
    spearman: float | None = None
    spearman_low: float | None = None
    spearman_high: float | None = None
    slope: float | None = None
    slope_low: float | None = None
    slope_high: float | None = None
    intercept: float | None = None
    p: float | None = None
    n: int
    tasks: int
    reason: str = ""


class Correlations(Struct, frozen=True):
    """``pooled``: over all points. ``within``: over points minus the means of their task; its line has no intercept.

    ``reversal``: the two have different signs. ``clear``: moreover, neither interval contains zero.
    """

    pooled: Correlation
    within: Correlation
    reversal: bool = False
    clear: bool = False


def untested(found: Correlations) -> Correlations:
    """Correlations without p-values: those of scripted policies, which are no sample."""
    return replace(found, pooled=replace(found.pooled, p=None), within=replace(found.within, p=None))


def correlations(points: Sequence[RunPair], *, resamples: int = RESAMPLES) -> Correlations:
    """Correlations of x with y, with intervals by resampling whole tasks.

    Within tasks, x and y are centred on the means of their task; for Spearman's rho they are ranked within the task
    (ranks divided by the number of points + 1, so that a task with many points has no larger ranks) and centred. Tasks
    with a single point are left out within tasks.
    """
    names = sorted({point.task for point in points})
    place = {name: number for number, name in enumerate(names)}
    task = np.array([place[point.task] for point in points], dtype=np.int64)
    x, y = (np.array(values, dtype=np.float64) for values in ([p.x for p in points], [p.y for p in points]))
    pooled = _correlation(task, x, y, resamples, within=False)
    several = np.bincount(task, minlength=len(names)) > 1
    kept = several[task] if len(points) else np.zeros(0, dtype=bool)
    renumbered = np.cumsum(several) - 1
    within = _correlation(renumbered[task[kept]], x[kept], y[kept], resamples, within=True)
    return Correlations(pooled, within, *_reversal(pooled, within))


def _reversal(pooled: Correlation, within: Correlation) -> tuple[bool, bool]:
    if pooled.pearson is None or within.pearson is None or pooled.pearson * within.pearson >= 0:
        return False, False
    ends = [(c.pearson_low, c.pearson_high) for c in (pooled, within)]
    return True, all(low is not None and high is not None and low * high > 0 for low, high in ends)


def _correlation(task: NDArray[np.int64], x: Array, y: Array, resamples: int, *, within: bool) -> Correlation:
    from scipy.stats import pearsonr, rankdata

    n, tasks = len(x), len(np.unique(task))
    if n < FEWEST_POINTS:
        where = "on tasks with more than one run" if within else "with both values"
        return Correlation(n=n, tasks=tasks, reason=f"too few runs {where} ({n})")
    u, v = (_centred(task, x), _centred(task, y)) if within else (x - x.mean(), y - y.mean())
    sides = (("x", u, x), ("y", v, y))
    constant = [name for name, c, raw in sides if np.max(np.abs(c)) <= _CONSTANT * (1 + np.max(np.abs(raw)))]
    if constant:
        what = " and ".join({"x": "the first value", "y": "the second value"}[c] for c in constant)
        verb = "do" if len(constant) > 1 else "does"
        return Correlation(n=n, tasks=tasks, reason=f"{what} {verb} not vary{' within tasks' if within else ''}")
    ranks = tuple(_task_ranks(task, c) if within else rankdata(c) for c in (x, y))
    slope = float(u @ v / (u @ u))
    found = Correlation(
        pearson=_pearson(u, v),
        p=_permuted(task, u, v) if within else float(pearsonr(x, y).pvalue),
        spearman=_pearson(ranks[0] - ranks[0].mean(), ranks[1] - ranks[1].mean()),
        slope=slope,
        intercept=None if within else float(y.mean() - slope * x.mean()),
        n=n,
        tasks=tasks,
    )
    if tasks < FEWEST_TASKS:
        return replace(found, reason=f"too few tasks for an interval ({tasks})")
    draws = np.array(
        [_drawn(np.repeat(np.arange(n), w[task].astype(int)), u, v, ranks, within) for w in weights(tasks, resamples)]
    )
    ends = {name: _ends(found, tasks) for name, found in zip(_NAMES, draws.T, strict=True)}
    known = {f"{name}_{end}": v for name, e in ends.items() if e for end, v in zip(("low", "high"), e, strict=True)}
    none = ", ".join(_NAMES[name] for name, found_ends in ends.items() if found_ends is None)
    why = "other draws of the tasks give the same value, or none"
    return replace(found, reason=f"no interval for {none}: {why}" if none else "", **known)


def _ends(draws: Array, tasks: int) -> tuple[float, float] | None:
    """None if all draws give the same value, which is no interval."""
    ends = interval(draws, tasks)
    return ends if ends is not None and ends[1] - ends[0] > _CONSTANT * (1 + abs(ends[0])) else None


def _pearson(u: Array, v: Array) -> float:
    """Of centred values."""
    return float(np.clip(u @ v / np.sqrt((u @ u) * (v @ v)), -1, 1))


def _permuted(task: NDArray[np.int64], u: Array, v: Array) -> float:
    """p of the sum of products of ``u`` and ``v`` (centred on their tasks) when ``v`` is shuffled within each task. The
    observed order counts as one of the draws, so that p is never 0."""
    order = np.argsort(task, kind="stable")
    task, u, v = task[order], u[order], v[order]
    limit = abs(float(u @ v)) - _CONSTANT * (1 + float(np.abs(u) @ np.abs(v)))
    keys = uniform(PERMUTATIONS * len(u)).reshape(PERMUTATIONS, len(u))
    # Keys under 1 added to the task's number sort the points of each task among themselves.
    shuffled = v[np.argsort(task + keys, axis=1, kind="stable")]
    reached = np.count_nonzero(np.abs(shuffled @ u) >= limit)
    return float(1 + reached) / (1 + PERMUTATIONS)


def _centred(task: NDArray[np.int64], values: Array) -> Array:
    counts = np.bincount(task)
    return values - (np.bincount(task, values) / counts)[task]


def _task_ranks(task: NDArray[np.int64], values: Array) -> Array:
    """Ranks within the task as shares, less a half: their mean is 0 in every task."""
    from scipy.stats import rankdata

    found = np.empty(len(values))
    for number in np.unique(task):
        chosen = task == number
        found[chosen] = rankdata(values[chosen]) / (chosen.sum() + 1) - 0.5
    return found


def _drawn(
    chosen: NDArray[np.int64], u: Array, v: Array, ranks: tuple[Array, ...], within: bool
) -> tuple[float, float, float]:
    """Pearson's r, Spearman's rho and the slope of one draw of points, centred and ranked anew unless ``within`` tasks;
    nan where a value does not vary."""
    from scipy.stats import rankdata

    sides = [(u[chosen], v[chosen]), (ranks[0][chosen], ranks[1][chosen])]
    if not within:
        sides = [(a - a.mean(), b - b.mean()) for a, b in (sides[0], tuple(map(rankdata, sides[1])))]
    found = []
    for drawn, whole in zip(sides, ((u, v), ranks), strict=True):
        # Such a small spread beside that of all points is rounding.
        a, b = (d if d @ d > _CONSTANT * float(w @ w) else d * np.nan for d, w in zip(drawn, whole, strict=True))
        found += [_pearson(a, b), float(drawn[1] @ a / (a @ a))]
    return found[0], found[2], found[1]
