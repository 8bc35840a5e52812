"""How much the order of conditions depends on the weights of the pillars.

The weights are a choice. So they are drawn many times, near the default and from all possible weights, and each pair of
conditions has the share of the draws that keep its order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

import numpy as np
from msgspec import Struct
from scipy.special import gammaincinv

from .resampling import EQUAL, RESAMPLES, SEED, Array, signs, uniform

# Dirichlet(40 w): a weight of .25 has a standard deviation of .07, one of .15 of .06.
CONCENTRATION = 40.0


class OrderHolds(Struct, frozen=True):
    """``above`` scores ``difference`` more than ``below`` under the default weights.

    ``around``, ``uniform``: share of the draws in which it scores more (a tie counts half). ``always``: it is not
    behind in any pillar, so that no weights reverse the order.
    """

    above: str
    below: str
    difference: float
    always: bool
    around: float
    uniform: float


class WithoutPillar(Struct, frozen=True):
    """The ranking without one pillar, Kendall's tau to the default one, and the pairs whose order is ``reversed``."""

    pillar: str
    ranking: list[str]
    tau: float | None
    reversed: list[tuple[str, str]]


class Sensitivity(Struct, frozen=True, kw_only=True):
    """Sensitivity of a ranking to the pillar weights, over the pillars that all conditions have.

    ``ranking``: best first, under the default ``weights``, which are scaled to sum to 1. ``left_out``: pillars for
    which a condition has no value, and why. ``tau_around``, ``tau_uniform``: mean of Kendall's tau to the default
    ranking over ``draws`` from Dirichlet(``concentration`` x weights) and from Dirichlet(1, ..., 1); ``_low``: its 5 %
    quantile. None if all conditions score the same.
    """

    ranking: list[str]
    scores: dict[str, float]
    weights: dict[str, float]
    left_out: dict[str, str]
    pairs: list[OrderHolds]
    without: list[WithoutPillar]
    tau_around: float | None = None
    tau_around_low: float | None = None
    tau_uniform: float | None = None
    tau_uniform_low: float | None = None
    draws: int = RESAMPLES
    concentration: float = CONCENTRATION
    reason: str = ""


def sensitivity(
    pillars: Mapping[str, Mapping[str, float]],
    weights: Mapping[str, float],
    *,
    left_out: Mapping[str, str] | None = None,
) -> Sensitivity:
    """Sensitivity of the order of conditions to the default ``weights`` of the pillars (condition -> pillar -> value).

    ``left_out``: pillar -> why it is missing; pillars that a condition does not have are added.
    """
    gone = dict(left_out or {})
    common = [p for p in weights if pillars and all(p in found for found in pillars.values())]
    gone |= {p: "not every condition has a value" for p in weights if p not in common and p not in gone}
    total = sum(weights[p] for p in common)
    shares = {p: weights[p] / total for p in common}
    if len(pillars) < 2 or len(common) < 2:
        what = "fewer than two conditions" if len(pillars) < 2 else "fewer than two pillars that all conditions have"
        return Sensitivity(
            ranking=[], scores={}, weights=shares, left_out=gone, pairs=[], without=[], draws=0, reason=what
        )
    names = list(pillars)
    table = np.array([[pillars[name][p] for p in common] for name in names])
    default = np.array(list(shares.values()))
    scores = table @ default
    near = _dirichlet(tuple(CONCENTRATION * default), SEED) @ table.T
    anywhere = _dirichlet((1.0,) * len(common), SEED + 1) @ table.T
    taus = [_taus(scores, each) for each in (near, anywhere)]
    quantiles = [(float(t.mean()), float(np.quantile(t, 0.05))) if t is not None else (None, None) for t in taus]
    return Sensitivity(
        ranking=_ranking(names, scores),
        scores={name: float(s) for name, s in zip(names, scores, strict=True)},
        weights=shares,
        left_out=gone,
        pairs=_pairs(names, table, scores, near, anywhere),
        without=[_without(names, table, default, scores, common, n) for n in range(len(common))],
        tau_around=quantiles[0][0],
        tau_around_low=quantiles[0][1],
        tau_uniform=quantiles[1][0],
        tau_uniform_low=quantiles[1][1],
        reason="" if quantiles[0][0] is not None else "all conditions score the same: there is no order",
    )


def _ranking(names: list[str], scores: Array) -> list[str]:
    return [name for _, name in sorted(zip(-np.round(scores, 9), names, strict=True), key=lambda pair: pair[0])]


def _pairs(names: list[str], table: Array, scores: Array, near: Array, anywhere: Array) -> list[OrderHolds]:
    place = {name: n for n, name in enumerate(names)}
    found: list[OrderHolds] = []
    for above, below in combinations(_ranking(names, scores), 2):
        a, b = place[above], place[below]
        shares = [float(((signs(s[:, a] - s[:, b]) + 1) / 2).mean()) for s in (near, anywhere)]
        gap = float(scores[a] - scores[b])
        always = bool(np.all(table[a] >= table[b] - EQUAL)) and gap > EQUAL
        found.append(OrderHolds(above, below, gap, always, *shares))
    return found


def _without(
    names: list[str], table: Array, default: Array, scores: Array, common: list[str], number: int
) -> WithoutPillar:
    rest = np.delete(default, number)
    found = np.delete(table, number, axis=1) @ (rest / rest.sum())
    taus = _taus(scores, found[None])
    ranking = _ranking(names, scores)
    place = {name: n for n, name in enumerate(names)}
    turned = [
        (a, b)
        for a, b in combinations(ranking, 2)
        if scores[place[a]] - scores[place[b]] > EQUAL and found[place[b]] - found[place[a]] > EQUAL
    ]
    return WithoutPillar(common[number], _ranking(names, found), float(taus[0]) if taus is not None else None, turned)


def _taus(scores: Array, draws: Array) -> Array | None:
    """Kendall's tau of each row with ``scores``, over the pairs that differ in ``scores``; None where none does."""
    first, second = np.triu_indices(len(scores), 1)
    order = signs(scores[first] - scores[second])
    if not np.any(order):
        return None
    kept = order != 0
    found: Array = (signs(draws[:, first[kept]] - draws[:, second[kept]]) * order[kept]).mean(axis=1)
    return found


@lru_cache(maxsize=8)
def _dirichlet(alpha: tuple[float, ...], seed: int) -> Array:
    """Draws of weights that sum to 1: gamma variates, by the inverse of their distribution, over their sum."""
    gammas = gammaincinv(np.array(alpha), uniform(RESAMPLES * len(alpha), seed).reshape(RESAMPLES, -1))
    found: Array = gammas / gammas.sum(axis=1, keepdims=True)
    return found
