"""Means and differences of ratings over clusters: known values, coverage, and what has no interval."""

from __future__ import annotations

import numpy as np
import pytest

from rigorbench.stats.agreement import Estimate
from rigorbench.stats.agreement_means import difference, mean


def test_every_value_counts_the_same_whatever_its_cluster() -> None:
    found = mean([1, 0, 0, 0, 1, 1], ["a", "a", "a", "b", "c", "d"])
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.low < 0.5


def test_difference_of_two_groups_within_and_across_clusters() -> None:
    found = difference([1, 1, 0, 1, 0, 0], [True, True, True, False, False, False], ["a", "b", "c", "a", "b", "d"])
    assert found.value == pytest.approx(2 / 3 - 1 / 3)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (mean([], []), "nothing to average"),
        (mean([1, 0], ["a", "b"]), "fewer than 3 clusters"),
        (mean([0, 0, 0], ["a", "b", "c"]), "every resample"),
        (difference([1, 0], [True, True], ["a", "b"]), "one side"),
        (difference([1, 0, 1, 0], [True, False, False, False], ["a", "b", "c", "d"]), "one side is missing"),
    ],
)
def test_what_has_no_value_or_no_interval_says_why(found: Estimate, reason: str) -> None:
    assert reason in found.reason
    assert found.low is None


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="clusters"):
        mean([1.0], [])
    with pytest.raises(ValueError, match="marks"):
        difference([1.0], [], ["a"])


def test_intervals_know_of_clusters() -> None:
    """20 clusters of ten values that share most of their deviation; truth 0. Of 60 intervals at 95 % fewer than 48
    cover it with a chance below 1e-6; intervals over the 200 values would do so less than half of the time."""
    random = np.random.default_rng(1)
    names = [str(n // 10) for n in range(200)]
    covered = wrong = 0
    for _ in range(60):
        values = (np.repeat(random.normal(size=20), 10) + 0.3 * random.normal(size=200)).tolist()
        right, naive = mean(values, names, resamples=400), mean(values, [str(n) for n in range(200)], resamples=400)
        assert right.low is not None
        assert right.high is not None
        assert naive.low is not None
        assert naive.high is not None
        covered += right.low <= 0 <= right.high
        wrong += not naive.low <= 0 <= naive.high
    assert covered >= 48
    assert wrong > 15
