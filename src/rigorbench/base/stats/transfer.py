"""Whether discipline transfers between categories of tasks: do conditions that rank high in some rank high in another?

Only tasks on which every condition has a value count, so that no condition looks good because of its tasks. Categories
are compared by the order of the conditions in them, so their difficulty does not matter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations, product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from .resampling import EQUAL, RESAMPLES, Array, signs, uniform

FEWEST_CONDITIONS = 3
# If there are at most this many ways to exchange the conditions, all are counted.
_EXACT_UP_TO = 20_000


class CategoryPair(Struct, frozen=True):
    """Correlation over ``conditions`` conditions of their mean scores in two categories."""

    first: str
    second: str
    pearson: float | None
    spearman: float | None
    conditions: int
    reason: str = ""


class HeldOut(Struct, frozen=True):
    """How well the means over all other categories predict the order of the conditions in a category.

    ``concordance``: share of the ``pairs`` of conditions in the predicted order (a tie counts half; chance: one half).
    ``tau``: Kendall's tau-b of the two orders.
    """

    category: str
    tasks: int
    tau: float | None
    concordance: float | None
    pairs: int
    reason: str = ""


class Transfer(Struct, frozen=True, kw_only=True):
    """Transfer of a score (mean over tasks by condition and category) between categories.

    ``categories``: number of tasks. ``left_out``: tasks on which a condition has no value, or without a category.
    ``concordance``: mean over the categories that were held out. ``p``: share of the ways to exchange the conditions'
    names within each category that give as high a concordance: one-sided, small if what ranks high in some categories
    does in the others. ``exact``: all ``permutations`` were counted, else they were drawn. ``reason``: why there is no
    value, or what so few conditions cannot show.
    """

    categories: dict[str, int]
    conditions: list[str]
    scores: dict[str, dict[str, float]]
    pairs: list[CategoryPair]
    held_out: list[HeldOut]
    concordance: float | None = None
    p: float | None = None
    exact: bool = False
    permutations: int = 0
    left_out: int = 0
    reason: str = ""


def transfer(scores: Mapping[str, Mapping[str, float]], category: Mapping[str, str]) -> Transfer:
    """Transfer between categories of ``scores`` (by condition and task); ``category``: of the tasks that have one."""
    conditions = [name for name, found in scores.items() if found]
    everything = {task for name in conditions for task in scores[name]}
    tasks = sorted(t for t in everything if t in category and all(t in scores[name] for name in conditions))
    sizes = dict(sorted(Counter(category[t] for t in tasks).items()))
    means = {
        name: {c: math.fsum(scores[name][t] for t in tasks if category[t] == c) / n for c, n in sizes.items()}
        for name in conditions
    }
    found = Transfer(
        categories=sizes,
        conditions=conditions,
        scores=means,
        pairs=[],
        held_out=[],
        left_out=len(everything) - len(tasks),
    )
    if len(conditions) < 2 or len(sizes) < 2:
        what = "fewer than two conditions" if len(conditions) < 2 else "fewer than two categories"
        return replace(found, reason=f"{what} with values on the same tasks")
    table = np.array([[means[name][c] for c in sizes] for name in conditions])
    names = list(sizes)
    observed = float(_concordance(table[None])[0])
    p, exact, number = _p(table, observed)
    least = 1 / _ways(*table.shape)
    few = f"{len(conditions)} conditions on {len(sizes)} categories: no p-value under {least:.2g} is possible"
    return replace(
        found,
        pairs=[_pair(names[a], names[b], table[:, a], table[:, b]) for a, b in combinations(range(len(names)), 2)],
        held_out=[_held_out(c, sizes[c], table, n) for n, c in enumerate(names)],
        concordance=observed,
        p=p,
        exact=exact,
        permutations=number,
        reason=few if least > 0.05 else "",
    )


def _pair(first: str, second: str, x: Array, y: Array) -> CategoryPair:
    if len(x) < FEWEST_CONDITIONS:
        return CategoryPair(first, second, None, None, len(x), f"too few conditions ({len(x)})")
    if min(np.ptp(x), np.ptp(y)) <= EQUAL:
        return CategoryPair(first, second, None, None, len(x), "all conditions score the same in one of the two")
    from scipy.stats import pearsonr, spearmanr

    return CategoryPair(first, second, float(pearsonr(x, y).statistic), float(spearmanr(x, y).statistic), len(x))


def _held_out(category: str, tasks: int, table: Array, number: int) -> HeldOut:
    actual = table[:, number]
    predicted = np.delete(table, number, axis=1).mean(axis=1)
    pairs = len(actual) * (len(actual) - 1) // 2
    concordance = float(_shares(_orders(predicted[None]), _orders(actual[None]))[0])
    if min(np.ptp(actual), np.ptp(predicted)) <= EQUAL:
        return HeldOut(category, tasks, None, concordance, pairs, "no tau: all conditions score the same")
    from scipy.stats import kendalltau

    return HeldOut(category, tasks, float(kendalltau(predicted, actual).statistic), concordance, pairs)


def _orders(values: Array) -> Array:
    """Signs of the differences of all pairs of conditions, the last axis but one of ``values``' rows."""
    first, second = np.triu_indices(values.shape[1], 1)
    return signs(values[:, first] - values[:, second])


def _shares(first: Array, second: Array) -> Array:
    shares: Array = ((first * second + 1) / 2).mean(axis=1)
    return shares


def _concordance(tables: Array) -> Array:
    """Mean over held-out categories, for tables of shape (number, conditions, categories)."""
    count = tables.shape[2]
    total = tables.sum(axis=2)
    found = np.zeros(len(tables))
    for number in range(count):
        actual = tables[:, :, number]
        found += _shares(_orders((total - actual) / (count - 1)), _orders(actual))
    mean: Array = found / count
    return mean


def _ways(conditions: int, categories: int) -> int:
    """Ways to exchange conditions within all categories but the first: only relative orders count."""
    ways: int = math.factorial(conditions) ** (categories - 1)
    return ways


def _p(table: Array, observed: float) -> tuple[float, bool, int]:
    conditions, categories = table.shape
    ways = _ways(conditions, categories)
    exact = ways <= _EXACT_UP_TO
    chosen: NDArray[np.int64]
    if exact:
        orders = list(permutations(range(conditions)))
        rest = product(range(len(orders)), repeat=categories - 1)
        chosen = np.array(orders)[np.array([(0, *others) for others in rest])]
    else:
        chosen = np.argsort(uniform(RESAMPLES * categories * conditions).reshape(RESAMPLES, categories, -1), axis=2)
    shuffled = np.take_along_axis(table.T[None], chosen, axis=2)
    found = _concordance(shuffled.transpose(0, 2, 1))
    as_high = int(np.sum(found >= observed - EQUAL))
    return (as_high / ways, True, ways) if exact else ((1 + as_high) / (1 + RESAMPLES), False, RESAMPLES)
