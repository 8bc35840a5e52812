"""How far raters agree on categories: raw agreement, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1.

Each comes with a bootstrap interval over subjects, or over clusters of them (the expanded percentile interval of
:mod:`.resampling`). A missing value has a reason: nothing here returns nan, or raises because all ratings are the same.

Sources of the formulas:

* raw agreement and Fleiss' kappa: J. L. Fleiss, Psychological Bulletin 76 (1971); for subjects rated by some of the
  raters only as in K. L. Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapter 2;
* alpha: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011);
* AC1: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .resampling import FEWEST_TASKS, MOST_UNDEFINED, interval, weights

_Floats = NDArray[np.float64]
_RESAMPLES = 2_000
_NAMES = ("raw", "fleiss", "alpha", "alpha_ordinal", "ac1")

_NOTHING = "nothing was rated"
_NO_PAIRS = "no subject was rated by two raters"
_ONE_CATEGORY = "undefined: all ratings that count are the same, so agreement by chance is 1 too; see raw and ac1"
_NO_ORDER = "the categories have no order"


class Estimate(Struct, frozen=True):
    """A coefficient with its interval. ``reason``: why the value or the interval is None, or what it leaves out."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class Agreement(Struct, frozen=True, kw_only=True):
    """Agreement of ``raters`` on ``subjects`` (those with at least one rating); ``pairable``: those with two or more.

    ``raw``: the chance that two raters of a subject agree, mean over pairable subjects. ``alpha_ordinal`` exists if the
    categories have an order.
    """

    raw: Estimate
    fleiss: Estimate
    alpha: Estimate
    alpha_ordinal: Estimate
    ac1: Estimate
    subjects: int
    pairable: int
    raters: int
    ratings: int


def agreement(
    ratings: Sequence[Sequence[Hashable | None]],
    *,
    order: Sequence[Hashable] | None = None,
    categories: Sequence[Hashable] | None = None,
    clusters: Sequence[str] | None = None,
) -> Agreement:
    """Agreement of raters.

    Args:
        ratings: rows are subjects, columns raters; None is a missing rating.
        order: all categories, lowest first, if they have an order.
        categories: all categories that a rater could have chosen (AC1 depends on their number); default: ``order``, or
            those that were used, yes and no for truth values, and at least two.
        clusters: the cluster of each subject, such as its session; then whole clusters are resampled.

    Raises:
        ValueError: rows of different lengths, a rating that is not among ``order`` or ``categories`` or is not a
            number, or a wrong number of clusters.
    """
    table = _Table(ratings, order if order is not None else categories, clusters, ordered=order is not None)
    point = table.coefficients(np.ones((1, table.units)))
    draws = table.bootstrap()
    estimates = {name: _estimate(name, float(point[name][0]), draws[name], table) for name in _NAMES}
    return Agreement(
        **estimates,
        subjects=table.rows,
        pairable=table.pairable,
        raters=table.raters,
        ratings=int(table.counts.sum()),
    )


class _Table:
    """The ratings as numbers; every coefficient is a function of weighted sums over them."""

    def __init__(
        self,
        ratings: Sequence[Sequence[Hashable | None]],
        categories: Sequence[Hashable] | None,
        clusters: Sequence[str] | None,
        *,
        ordered: bool,
    ) -> None:
        width = {len(row) for row in ratings}
        if len(width) > 1:
            raise ValueError(f"every subject needs one entry per rater, None where missing; found rows of {width}")
        if clusters is not None and len(clusters) != len(ratings):
            raise ValueError(f"{len(clusters)} clusters for {len(ratings)} subjects")
        used = dict.fromkeys(value for row in ratings for value in row if value is not None)
        if any(value != value for value in used):
            raise ValueError("a rating is nan; a missing rating is None")
        code = {value: n for n, value in enumerate(used if categories is None else dict.fromkeys(categories))}
        if unknown := [value for value in used if value not in code]:
            raise ValueError(f"the rating {unknown[0]!r} is not among the categories")
        kept = [n for n, row in enumerate(ratings) if any(value is not None for value in row)]
        self.rows = len(kept)
        self.codes = np.array(
            [[-1 if value is None else code[value] for value in ratings[n]] for n in kept], dtype=np.int64
        ).reshape(self.rows, max(width, default=0))
        self.ordered = ordered
        # A choice needs two categories, even if only one was used.
        self.choices = max(2, len(code))
        self.counts: _Floats = np.stack([(self.codes == c).sum(axis=1) for c in range(self.choices)], axis=1) * 1.0
        self.raters = int((self.codes >= 0).any(axis=0).sum())
        names = {name: n for n, name in enumerate(dict.fromkeys(clusters[n] for n in kept))} if clusters else {}
        self.cluster = np.array([names[clusters[n]] for n in kept] if clusters else range(self.rows), dtype=np.int64)
        self.units = int(self.cluster.max()) + 1 if self.rows else 0
        self.clustered = clusters is not None
        self._prepare()

    def _prepare(self) -> None:
        """Sums per cluster, of which all coefficients but ordinal alpha are functions."""
        m = self.counts.sum(axis=1)
        several = (m >= 2) * 1.0
        self.pairable = int(several.sum())
        agreeing = (self.counts * (self.counts - 1)).sum(axis=1)
        # For each subject: 1 / its pairs of ratings, and 1 / the ratings that each rating is compared with.
        per_pair = several / np.where(m >= 2, m * (m - 1), 1.0)
        self.weight = several / np.maximum(m - 1, 1.0)
        self.m = m
        self.several, self.agreeing, self.matching, self.rated = (
            self._per_cluster(x) for x in (several, agreeing * per_pair, agreeing * self.weight, np.ones(self.rows))
        )
        self.shares = self._per_cluster(self.counts / np.maximum(m, 1.0)[:, None])
        self.paired = self._per_cluster(self.counts * several[:, None])

    def _per_cluster(self, values: _Floats) -> _Floats:
        total = np.zeros((self.units, *values.shape[1:]))
        np.add.at(total, self.cluster, values)
        return total

    def bootstrap(self) -> dict[str, _Floats]:
        if self.units < FEWEST_TASKS or not self.pairable:
            return {name: np.empty(0) for name in _NAMES}
        return self.coefficients(weights(self.units, _RESAMPLES))

    def coefficients(self, w: _Floats) -> dict[str, _Floats]:
        """Of each row of weights (resamples x clusters); nan where a coefficient is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            raw = (w @ self.agreeing) / (w @ self.several)
            share = (w @ self.shares) / (w @ self.rated)[:, None]
            chance = (share**2).sum(axis=1)
            gwet = (share * (1 - share)).sum(axis=1) / (self.choices - 1)
            return {
                "raw": raw,
                "fleiss": _corrected(raw, chance),
                "alpha": self._alpha(w),
                "alpha_ordinal": self._alpha_ordinal(w) if self.ordered else np.full(len(w), np.nan),
                "ac1": _corrected(raw, gwet),
            }

    def _alpha(self, w: _Floats) -> _Floats:
        """1 - D_o / D_e for nominal data: sums over the diagonal of the coincidence matrix suffice."""
        totals = w @ self.paired
        n = totals.sum(axis=1)
        expected = n**2 - (totals**2).sum(axis=1)
        return np.where(expected > 1e-9 * n**2, 1 - (n - 1) * (n - w @ self.matching) / expected, np.nan)

    def _alpha_ordinal(self, w: _Floats) -> _Floats:
        """The ordinal metric is the squared distance of mean ranks, so sums of squares replace the coincidences."""
        totals = w @ self.paired
        n = totals.sum(axis=1)
        ranks = np.cumsum(totals, axis=1) - totals / 2
        # Centred, so that differences of large squares keep their precision.
        ranks = ranks - (totals * ranks).sum(axis=1, keepdims=True) / n[:, None]
        rows = w[:, self.cluster]
        within = (rows @ (self.weight[:, None] * self.m[:, None] * self.counts) * ranks**2).sum(axis=1)
        within -= (rows * self.weight * (ranks @ self.counts.T) ** 2).sum(axis=1)
        expected = n * (totals * ranks**2).sum(axis=1)
        return np.where(expected > 1e-9 * n**4, 1 - (n - 1) * within / expected, np.nan)


def _corrected(observed: _Floats, chance: _Floats) -> _Floats:
    """(observed - chance) / (1 - chance); nan where agreement by chance is 1."""
    return np.where(chance < 1 - 1e-12, (observed - chance) / (1 - chance), np.nan)


def _estimate(name: str, value: float, draws: _Floats, table: _Table) -> Estimate:
    if not table.rows:
        return Estimate(reason=_NOTHING)
    if name == "alpha_ordinal" and not table.ordered:
        return Estimate(reason=_NO_ORDER)
    if not table.pairable:
        return Estimate(reason=_NO_PAIRS)
    if not np.isfinite(value):
        return Estimate(reason=_ONE_CATEGORY)
    if table.units < FEWEST_TASKS:
        few = f"fewer than {FEWEST_TASKS} {'clusters' if table.clustered else 'subjects'}: no interval"
        return Estimate(value, reason=few)
    ends = interval(draws, table.units)
    if ends is None:
        often = f"undefined in more than {MOST_UNDEFINED:.0%} of resamples, ratings hardly differ"
        return Estimate(value, reason=f"no interval: {often}")
    if np.nanmax(draws) - np.nanmin(draws) < 1e-12:
        return Estimate(value, reason="no interval: every resample gives this value")
    return Estimate(value, *ends)
