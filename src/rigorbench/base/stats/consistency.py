"""Whether repeats of a run have similar results: intraclass correlation, pass@k and pass^k."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy.special import fdtri

from .resampling import FEWEST_TASKS, LEVEL, interval, weights


class Icc(Struct, frozen=True, kw_only=True):
    """Intraclass correlation by one-way analysis of variance with random tasks, over tasks with at least two repeats.

    ``single``: ICC(1,1), the share of the variance of single runs that is between tasks (1: repeats agree completely;
    0: runs of one task are no more alike than of two). ``average``: ICC(1,k), for means over ``k`` repeats, the
    effective number. ``within``: variance of repeats about the mean of their task. ``between``: of the tasks' true
    means, 0 if the estimate is negative. ``reason``: why a value is missing.
    """

    single: float | None = None
    single_low: float | None = None
    single_high: float | None = None
    average: float | None = None
    average_low: float | None = None
    average_high: float | None = None
    k: float | None = None
    within: float | None = None
    between: float | None = None
    tasks: int
    runs: int
    reason: str = ""


class Passes(Struct, frozen=True, kw_only=True):
    """``at``: pass@k, the chance that at least one of ``k`` runs of a task passes; ``hat``: pass^k, that all do.

    Means over ``tasks`` tasks with at least ``k`` runs, with intervals over tasks.
    """

    k: int
    at: float | None = None
    at_low: float | None = None
    at_high: float | None = None
    hat: float | None = None
    hat_low: float | None = None
    hat_high: float | None = None
    tasks: int
    runs: int
    reason: str = ""


def icc(values: Mapping[str, Sequence[float]]) -> Icc:
    """ICC(1,1) and ICC(1,k) of the repeats of each task (Shrout and Fleiss 1979, case 1), with intervals from F.

    For different numbers of repeats k is n_0 = (N - sum n_i^2 / N) / (tasks - 1) (Donner 1986), and the intervals,
    exact for equal numbers and normal values, are approximate. Tasks with one run are left out.
    """
    rows = [np.asarray(found, dtype=np.float64) for found in values.values() if len(found) > 1]
    tasks, runs = len(rows), sum(map(len, rows))
    if tasks < 2:
        return Icc(tasks=tasks, runs=runs, reason=f"fewer than two tasks with repeats ({tasks})")
    sizes = np.array([len(row) for row in rows])
    means = np.array([row.mean() for row in rows])
    grand = float(sizes @ means / runs)
    k = float((runs - (sizes @ sizes) / runs) / (tasks - 1))
    inside = math.fsum(float(((row - row.mean()) ** 2).sum()) for row in rows) / (runs - tasks)
    outside = float(sizes @ (means - grand) ** 2) / (tasks - 1)
    scale = 1e-20 * (1 + max(float(np.max(np.abs(row))) for row in rows)) ** 2
    inside, outside = (0.0 if v <= scale else v for v in (inside, outside))
    between = max(0.0, (outside - inside) / k)
    found = Icc(k=k, within=inside, between=between, tasks=tasks, runs=runs)
    if inside == outside == 0:
        return replace(found, reason="all runs have the same value")
    if inside == 0:
        return replace(found, single=1.0, average=1.0, reason="repeats of a task are identical: no interval")
    ratio = outside / inside
    tail = (1 - LEVEL) / 2
    low = ratio / float(fdtri(tasks - 1, runs - tasks, 1 - tail))
    high = ratio / float(fdtri(tasks - 1, runs - tasks, tail))
    single = [(f - 1) / (f + k - 1) for f in (ratio, low, high)]
    if ratio == 0:
        return replace(found, single=single[0], reason="the means of all tasks are the same: no ICC(1,k), no interval")
    return replace(
        found,
        single=single[0],
        single_low=single[1],
        single_high=single[2],
        average=1 - 1 / ratio,
        average_low=1 - 1 / low,
        average_high=1 - 1 / high,
    )


def passes(passed: Mapping[str, Sequence[bool]], k: int) -> Passes:
    """pass@k and pass^k: whether each run of each task passed. Tasks with fewer than ``k`` runs are left out.

    Of a task with n runs of which c passed, the unbiased estimates are 1 - C(n - c, k) / C(n, k) (Chen et al. 2021) and
    C(c, k) / C(n, k) (Yao et al. 2024).
    """
    kept = [(len(runs), sum(map(bool, runs))) for runs in passed.values() if len(runs) >= k]
    tasks, runs = len(kept), sum(n for n, _ in kept)
    if not kept:
        return Passes(k=k, tasks=0, runs=0, reason=f"no task with {k} runs")
    at = np.array([1 - math.comb(n - c, k) / math.comb(n, k) for n, c in kept])
    hat = np.array([math.comb(c, k) / math.comb(n, k) for n, c in kept])
    found = Passes(k=k, at=float(at.mean()), hat=float(hat.mean()), tasks=tasks, runs=runs)
    if tasks < FEWEST_TASKS:
        return replace(found, reason=f"too few tasks for an interval ({tasks})")
    drawn = weights(tasks)
    # If all tasks agree, every draw gives the same value, which is no interval.
    ends = {
        name: interval(drawn @ each / tasks, tasks) for name, each in (("at", at), ("hat", hat)) if np.ptp(each) > 0
    }
    known = {f"{name}_{end}": v for name, e in ends.items() if e for end, v in zip(("low", "high"), e, strict=True)}
    none = [f"pass{'@' if name == 'at' else '^'}{k}" for name in ("at", "hat") if name not in ends]
    return replace(found, reason=f"{', '.join(none)} the same on every task: no interval" if none else "", **known)
