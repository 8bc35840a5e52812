"""ICC against a published table and simulated runs, pass@k and pass^k against counting every choice of runs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation import bounds

from rigorbench.base.stats.consistency import icc, passes

# Shrout and Fleiss, Psychological Bulletin 86 (1979), table 2: four ratings of six targets.
PUBLISHED = {
    "1": [9, 2, 5, 8],
    "2": [6, 1, 3, 2],
    "3": [8, 4, 6, 8],
    "4": [7, 1, 2, 6],
    "5": [10, 5, 6, 9],
    "6": [6, 2, 4, 7],
}


def test_the_published_table() -> None:
    """Their tables 3 and 4: mean squares 11.24 between and 6.26 within, ICC(1,1) = .17, ICC(1,4) = .44."""
    found = icc(PUBLISHED)
    assert found.single == pytest.approx(0.17, abs=0.005)
    assert found.average == pytest.approx(0.44, abs=0.005)
    assert found.within == pytest.approx(6.26, abs=0.005)
    assert found.between == pytest.approx((11.24 - 6.26) / 4, abs=0.005)
    assert (found.tasks, found.runs, found.k) == (6, 24, 4)
    assert (found.single_low, found.single_high) == (pytest.approx(-0.13, abs=0.005), pytest.approx(0.72, abs=0.005))


@pytest.mark.parametrize("sizes", [(4,) * 12, (2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 8, 9)])
def test_intervals_cover_the_truth(sizes: tuple[int, ...]) -> None:
    """ICC .6 by construction; with different numbers of repeats the interval is an approximation, and a good one."""
    chance = np.random.default_rng(len(set(sizes)))
    trials, hits, estimates = 500, 0, []
    for _ in range(trials):
        level = chance.normal(0, np.sqrt(0.6), len(sizes))
        found = icc({str(t): list(chance.normal(level[t], np.sqrt(0.4), n)) for t, n in enumerate(sizes)})
        assert found.single is not None
        assert found.single_low is not None
        assert found.single_high is not None
        hits += found.single_low <= 0.6 <= found.single_high
        estimates.append((found.within, found.between))
    low, high = bounds(trials, 0.95)
    assert low <= hits <= high
    error = np.std(estimates, axis=0) / np.sqrt(trials)
    assert np.all(np.abs(np.mean(estimates, axis=0) - [0.4, 0.6]) < 5 * error)


@pytest.mark.parametrize(
    ("values", "single", "reason"),
    [
        ({}, None, "fewer than two tasks with repeats (0)"),
        ({"a": [1.0, 2.0], "b": [1.0]}, None, "fewer than two tasks with repeats (1)"),
        ({"a": [0.3] * 3, "b": [0.3] * 3}, None, "all runs have the same value"),
        ({"a": [0.1 + 0.2, 0.3], "b": [0.7, 0.7]}, 1.0, "repeats of a task are identical: no interval"),
        ({"a": [0.0, 1.0], "b": [1.0, 0.0]}, -1.0, "the means of all tasks are the same: no ICC(1,k), no interval"),
    ],
)
def test_what_has_no_value_says_why(values: dict[str, list[float]], single: float | None, reason: str) -> None:
    found = icc(values)
    assert (found.single, found.single_low, found.reason) == (single, None, reason)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_all_choices_of_k_runs(numbers: tuple[int, int, int]) -> None:
    count, passed, k = numbers
    runs = [n < passed for n in range(count)]
    choices = list(itertools.combinations(runs, k))
    found = passes({"a": runs}, k)
    assert found.at == pytest.approx(sum(map(any, choices)) / len(choices))
    assert found.hat == pytest.approx(sum(map(all, choices)) / len(choices))


def test_passes_are_means_over_tasks_with_enough_runs() -> None:
    found = passes({"a": [True, False], "b": [True, True], "c": [False, False], "d": [True]}, 2)
    assert (found.tasks, found.runs, found.k) == (3, 6, 2)
    assert found.at == pytest.approx(2 / 3)
    assert found.hat == pytest.approx(1 / 3)
    assert found.at_low is not None
    assert found.hat_high is not None
    assert found.at_low < found.at
    assert found.hat < found.hat_high
    few = passes({"a": [True, False]}, 1)
    assert (few.at, few.at_low, few.reason) == (0.5, None, "too few tasks for an interval (1)")
    none = passes({"a": [True]}, 2)
    assert (none.at, none.tasks, none.reason) == (None, 0, "no task with 2 runs")


def test_where_all_tasks_agree_there_is_no_interval() -> None:
    found = passes({t: [True, True] for t in "abcde"}, 2)
    assert (found.at, found.at_low, found.hat_low) == (1.0, None, None)
    assert "the same" in found.reason
