"""Power against statsmodels and against experiments that were simulated and tested as real ones are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm
from simulation import bounds
from statsmodels.stats.power import TTestPower

from rigorbench.base.stats.paired import exact_p, fewest_tasks
from rigorbench.base.stats.power import ALPHA, components, level, plan, power, tasks_needed


@pytest.mark.parametrize("tasks", [8, 10, 30, 120])
@pytest.mark.parametrize("size", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("alpha", [0.05, 0.04])
def test_as_statsmodels(tasks: int, size: float, alpha: float) -> None:
    assert level(tasks, alpha) <= alpha
    wanted = TTestPower().power(size, tasks, level(tasks, alpha))
    assert math.isfinite(wanted)
    assert power(size, tasks, math.inf, within=9, between=1, alpha=alpha) == pytest.approx(wanted, abs=1e-5)
    # The same spread, half of it from repeats: 1/2 + 2 x 1 / 4.
    assert power(size, tasks, 4, within=1, between=math.sqrt(0.5), alpha=alpha) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("tasks", "repeats", "within", "between"),
    [(6, 2, 0.05, 0.05), (7, 2, 0.05, 0.05), (10, 3, 0.12, 0.05), (20, 1, 0.08, 0.06), (20, 4, 0.2, 0.1)],
)
def test_as_simulated_experiments_under_the_permutation_test(
    tasks: int, repeats: int, within: float, between: float
) -> None:
    """Whole experiments: task levels, a gain that varies by task, repeats; the exact test that comparisons use.

    The formula is for the t test but with the fewest tasks, and may be off by .03 beyond what chance does.
    """
    chance = np.random.default_rng(tasks + repeats)
    trials, seen = 400, 0
    for _ in range(trials):
        gain = chance.normal(0.08, between, tasks)
        runs = chance.normal(0, within, (2, tasks, repeats)).mean(axis=2)
        seen += exact_p(gain + runs[0] - runs[1]) <= 0.05
    expected = power(0.08, tasks, repeats, within=within, between=between)
    assert 0.2 < expected < 0.95
    assert bounds(trials, expected - 0.03)[0] <= seen <= bounds(trials, expected + 0.03)[1]


def test_repeats_cannot_lower_the_floor_of_the_tasks() -> None:
    found = plan(0.05, 30, within=0.1, between=0.1)
    assert found.repeats_needed is None
    assert found.best_power == pytest.approx(TTestPower().power(0.5, 30, 0.05), abs=1e-5)
    assert found.best_power < 0.8
    assert found.tasks_at_best == math.ceil(TTestPower().solve_power(0.5, None, 0.05, 0.8)) == 34
    assert [row.repeats for row in found.rows] == list(range(1, 11))
    needed = [row.tasks_needed for row in found.rows]
    assert needed == sorted(needed, reverse=True)
    assert all(n is not None and n > 34 for n in needed)


def test_the_fewest_repeats_are_enough_and_one_less_is_not() -> None:
    found = plan(0.05, 30, within=0.15, between=0.02)
    k = found.repeats_needed
    assert k is not None
    assert power(0.05, 30, k, within=0.15, between=0.02) >= 0.8
    assert power(0.05, 30, k - 1, within=0.15, between=0.02) < 0.8
    for row in found.rows:
        assert row.runs == 60 * row.repeats
        assert row.smallest is not None
        assert power(row.smallest, 30, row.repeats, within=0.15, between=0.02) == pytest.approx(0.8, abs=1e-6)
        assert row.tasks_needed is not None
        assert power(0.05, row.tasks_needed, row.repeats, within=0.15, between=0.02) >= 0.8
        assert power(0.05, row.tasks_needed - 1, row.repeats, within=0.15, between=0.02) < 0.8


def test_too_few_tasks_for_any_p_value() -> None:
    """Five tasks have 32 sign flips: no p under 2 / 32, whatever the difference."""
    assert fewest_tasks(0.05) == 6
    assert fewest_tasks(2 / 64) == 6
    assert fewest_tasks(0.01) == 8
    assert power(9.0, 5, 100, within=0.1, between=0.0) == 0.0
    found = plan(0.5, 5, within=0.1, between=0.0)
    assert (found.repeats_needed, found.best_power, found.rows[0].smallest) == (None, 0.0, None)
    assert found.tasks_at_best == 6


def test_without_any_spread_one_repeat_does() -> None:
    found = plan(0.01, 10, within=0.0, between=0.0)
    assert (found.repeats_needed, found.best_power, found.rows[0].tasks_needed) == (1, 1.0, 6)


@pytest.mark.parametrize("tasks", [7, 30, 1_000, 1_000_000])
def test_power_grows_with_the_difference_to_one_far_from_the_centre(tasks: int) -> None:
    found = [power(size, tasks, math.inf, within=0.15, between=1.0) for size in np.geomspace(1e-9, 1e5, 400)]
    assert found[0] == pytest.approx(level(tasks))
    assert np.all(np.diff(found) > -1e-9)
    assert found[-1] == 1


def test_with_the_fewest_tasks_all_must_point_one_way() -> None:
    """Six tasks at .05: no other flips than all of one sign are rare enough."""
    up, down = norm.cdf(1.2), norm.cdf(-1.2)
    assert power(1.2, 6, math.inf, within=5, between=1) == pytest.approx(up**6 + down**6)
    assert power(1.2, 8, math.inf, within=5, between=1, alpha=0.008) == pytest.approx(up**8 + down**8)


def test_levels_are_those_that_the_flips_allow() -> None:
    """Of the 32 pairs of opposite flips of six tasks one has p = 1/32, and the next would have 2/32 > .05."""
    assert level(6) == 1 / 32
    assert level(7) == 3 / 64
    assert level(10) == 25 / 512
    assert level(5) == 0.0
    assert level(41) == 0.05


@pytest.mark.parametrize(
    "wrong", [{"within": -1.0}, {"between": -0.1}, {"tasks": 1}, {"target": 0.04}, {"difference": 0.0}, {"alpha": 0.0}]
)
def test_nonsense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"above 0|from 0"):
        plan(**{"difference": 0.1, "tasks": 10, "within": 0.1, "between": 0.1, **wrong})  # type: ignore[arg-type]


def test_components_are_those_that_were_planted() -> None:
    """Mean of the squared estimates over simulated pilots: unbiased but for the floor at zero, which is far away."""
    chance = np.random.default_rng(7)
    squares = []
    for _ in range(300):
        gain = chance.normal(0.1, 0.3, 12)
        values = {
            "a": {str(t): list(gain[t] + chance.normal(0, 0.2, 3)) for t in range(12)},
            "b": {str(t): list(chance.normal(0, 0.2, 2)) for t in range(12)},
        }
        found = components(values, [("a", "b")])
        assert found.within is not None
        assert found.between is not None
        squares.append((found.within**2, found.between**2))
    error = np.std(squares, axis=0) / math.sqrt(300)
    assert np.all(np.abs(np.mean(squares, axis=0) - [0.04, 0.09]) < 5 * error)
    assert (found.cells, found.runs, found.pairs, found.tasks) == (24, 60, 1, 12)


def test_components_that_cannot_be_told_say_why() -> None:
    single = {"a": {"t": [0.1], "u": [0.3]}, "b": {"t": [0.2], "u": [0.1]}}
    found = components(single, [("a", "b")])
    assert found.reason == "no cell has two runs, so that their noise counts as a spread between tasks"
    given = components(single, [("a", "b")], within=0.0)
    assert given.between == found.between == pytest.approx(np.std([-0.1, 0.2], ddof=1))
    alone = components({"a": {"t": [0.1, 0.2]}}, [])
    assert (alone.between, alone.reason) == (None, "no two conditions share two tasks")
    assert alone.within == pytest.approx(np.std([0.1, 0.2], ddof=1))
    noisy = components({"a": {"t": [0.0, 1.0], "u": [1.0, 0.0]}, "b": {"t": [0.5, 0.5], "u": [0.5, 0.5]}}, [("a", "b")])
    assert noisy.between == 0.0


def test_thousands_of_tasks_are_no_overflow() -> None:
    assert level(5_000) == ALPHA
    needed = tasks_needed(0.01, within=0.0, between=0.3, repeats=1)
    assert 7_000 < needed < 7_200
