"""How far rules over the same checks and observations could get: an ordinal regression, fitted to the readers' ratings.

A proportional-odds model (McCullagh 1980) with a ridge penalty: P(rating <= k) = logistic(t_k - x b), with one row for
each session and reader, x the checks that fired and the observations that hold. It has many more parameters than the
ladders and is no part of the review: it is fitted without some sessions, and compared on these.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

Array = NDArray[np.float64]
RATINGS = 5
# Chosen before any result was seen: a standardised feature moves the log-odds by about 1 / sqrt(PENALTY) at most.
PENALTY = 10.0


def held_out(
    features: Array, ratings: Sequence[Sequence[int]], groups: Sequence[Hashable] | None
) -> list[float | None]:
    """For each session the expected rating by a model that was fitted without the sessions of its group.

    Args:
        features: a row for each session.
        ratings: of the readers who gave one, for each session.
        groups: of each session; None: the model is fitted to all of them.

    Returns:
        None for the sessions of a group without which all ratings are the same.
    """
    everything = range(len(features))
    found: list[float | None] = [None] * len(features)
    for group in dict.fromkeys(groups if groups is not None else [None]):
        inside = [n for n in everything if groups is None or groups[n] == group]
        others = [n for n in everything if groups is None or groups[n] != group]
        rows = [n for n in others for _ in ratings[n]]
        given = np.array([r for n in others for r in ratings[n]], dtype=np.int64)
        if len(set(given.tolist())) < 2:
            continue
        mean, spread = features[others].mean(axis=0), features[others].std(axis=0)
        varies = spread > 0
        scaled = (features[:, varies] - mean[varies]) / spread[varies]
        weights, thresholds = _fit(scaled[rows], given)
        for n in inside:
            below = expit(thresholds - scaled[n] @ weights)
            found[n] = float(RATINGS - below.sum())
    return found


def _fit(x: Array, given: NDArray[np.int64]) -> tuple[Array, Array]:
    """(weights, thresholds) with the least penalised loss."""
    width = x.shape[1]
    rows = np.arange(len(given))

    def loss(p: Array) -> tuple[float, Array]:
        weights, gaps = p[:width], np.exp(np.clip(p[width + 1 :], -20, 20))
        thresholds = p[width] + np.concatenate([[0.0], np.cumsum(gaps)])
        cut = thresholds[None, :] - (x @ weights)[:, None]
        below = np.column_stack([np.zeros(len(x)), expit(cut), np.ones(len(x))])
        slope = below * (1 - below)
        chance = np.maximum(below[rows, given] - below[rows, given - 1], 1e-12)
        upper, lower = slope[rows, given] / chance, slope[rows, given - 1] / chance
        by_threshold = np.zeros(RATINGS + 1)
        np.add.at(by_threshold, given, -upper)
        np.add.at(by_threshold, given - 1, lower)
        inner = by_threshold[1:RATINGS]
        later = np.array([inner[k + 1 :].sum() for k in range(RATINGS - 2)]) * gaps
        gradient = np.concatenate([x.T @ (upper - lower) + PENALTY * weights, [inner.sum()], later])
        return float(-np.log(chance).sum() + PENALTY / 2 * weights @ weights), gradient

    start = np.concatenate([np.zeros(width), [-2.0], np.zeros(RATINGS - 2)])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = found.x[:width]
    return weights, found.x[width] + np.concatenate([[0.0], np.cumsum(np.exp(np.clip(found.x[width + 1 :], -20, 20)))])
