"""Correlations: as libraries have them, with a planted reversal, and with intervals that keep their promise."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rigorbench.base.stats.correlation import Correlation, RunPair, correlations
from rigorbench.base.stats.resampling import interval, weights


def simpson(chance: np.random.Generator, tasks: int = 12, runs: int = 6, slope: float = 0.8) -> list[RunPair]:
    """Hard tasks take many tokens and are solved less; within a task more tokens help: y = level - 2 t + slope e."""
    points = []
    for task in range(tasks):
        for extra in chance.normal(0, 0.5, runs):
            points.append(RunPair(str(task), task + extra, -2 * task + slope * extra + chance.normal(0, 0.2)))
    return points


def test_a_planted_reversal_is_found() -> None:
    found = correlations(simpson(np.random.default_rng(1)))
    assert (found.pooled.pearson or 0) < -0.9
    assert (found.within.pearson or 0) > 0.7
    assert found.within.slope == pytest.approx(0.8, abs=0.15)
    assert (found.reversal, found.clear) == (True, True)
    assert (found.within.n, found.within.tasks, found.within.intercept) == (72, 12, None)
    assert not correlations([RunPair(str(t), t + e, t + e) for t in range(5) for e in (0.1, 0.4)]).reversal


def test_pooled_values_are_those_of_scipy() -> None:
    chance = np.random.default_rng(3)
    x = chance.integers(0, 9, 40).astype(float)
    y = x + chance.integers(0, 9, 40)
    found = correlations([RunPair(str(n % 8), a, b) for n, (a, b) in enumerate(zip(x, y, strict=True))]).pooled
    line = stats.linregress(x, y)
    assert (found.pearson, found.p) == (pytest.approx(line.rvalue), pytest.approx(line.pvalue))
    assert (found.slope, found.intercept) == (pytest.approx(line.slope), pytest.approx(line.intercept))
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic)


def test_intervals_are_those_of_the_drawn_points_themselves() -> None:
    """Against numpy and scipy on each draw: the mean of a draw is not that of all points; with many ties."""
    chance = np.random.default_rng(7)
    task = np.repeat(np.arange(5), 4)
    x = chance.integers(0, 6, 20) + 1.0 * task
    y = chance.integers(0, 6, 20) - 1.0 * task
    found = correlations([RunPair(str(t), *p) for t, *p in zip(task, x, y, strict=True)], resamples=100).pooled
    draws = [np.repeat(np.arange(20), w[task].astype(int)) for w in weights(5, 100)]
    wanted = {
        "pearson": [np.corrcoef(x[chosen], y[chosen])[0, 1] for chosen in draws],
        "spearman": [stats.spearmanr(x[chosen], y[chosen]).statistic for chosen in draws],
        "slope": [stats.linregress(x[chosen], y[chosen]).slope for chosen in draws],
    }
    for name, values in wanted.items():
        ends = (getattr(found, f"{name}_low"), getattr(found, f"{name}_high"))
        assert ends == pytest.approx(interval(np.array(values), 5))


def test_ranks_within_tasks_of_different_size() -> None:
    """Two runs have ranks 1/3 and 2/3, four have 1/5 to 4/5: a task with many runs has no larger ranks."""
    points = [RunPair("a" if x + y == 6 else "b", x, y) for x, y in ((1, 5), (2, 4), (1, 1), (2, 3), (3, 2), (4, 4))]
    first, second = [1 / 3, 2 / 3, 0.2, 0.4, 0.6, 0.8], [2 / 3, 1 / 3, 0.2, 0.6, 0.4, 0.8]
    assert correlations(points).within.spearman == pytest.approx(np.corrcoef(first, second)[0, 1])


def test_within_tasks_is_what_is_left_when_tasks_are_moved() -> None:
    """Any shift of a whole task changes nothing within tasks; ranks stand even a growing curve of each task's own."""
    chance = np.random.default_rng(5)
    base = [(t, *chance.normal(size=2)) for t in range(6) for _ in range(4)]
    plain = correlations([RunPair(str(t), x, x + y) for t, x, y in base]).within
    moved = correlations([RunPair(str(t), x + 100 * t, x + y - 7 * t) for t, x, y in base]).within
    curved = correlations([RunPair(str(t), np.exp(x * (t + 1)), x + y) for t, x, y in base]).within
    assert moved.pearson == pytest.approx(plain.pearson)
    assert moved.slope_low == pytest.approx(plain.slope_low)
    assert curved.spearman == pytest.approx(plain.spearman)


FEW, NO_TASK = "too few runs with both values (0)", "too few runs on tasks with more than one run (0)"
SECOND = "the second value does not vary within tasks"
FIRST, BOTH = "the first value does not vary", "the first value and the second value do not vary"


@pytest.mark.parametrize(
    ("points", "pooled", "within"),
    [
        ([], FEW, NO_TASK),
        ([RunPair("a", 1, 1), RunPair("b", 2, 3), RunPair("c", 4, 4)], "", NO_TASK),
        ([RunPair(t, 1.0, y) for t in "abc" for y in (0.0, 1.0)], FIRST, f"{FIRST} within tasks"),
        ([RunPair(*p, "abc".index(p[0])) for p in product("abc", (0.1, 0.2))], "", SECOND),
        ([RunPair("a", 0.1, 0.3)] * 3, BOTH, f"{BOTH} within tasks"),
    ],
)
def test_what_has_no_value_says_why(points: list[RunPair], pooled: str, within: str) -> None:
    found = correlations(points)
    for each, reason in ((found.pooled, pooled), (found.within, within)):
        if reason:
            assert (each.pearson, each.spearman, each.slope, each.reason) == (None, None, None, reason)


def test_two_tasks_and_draws_that_are_all_the_same_have_no_interval() -> None:
    two = correlations([RunPair(t, x, x * x) for t in "ab" for x in (0.0, 1.0, 3.0)]).pooled
    same = correlations([RunPair(t, x, 2 * x) for t in "abcd" for x in (0.0, 1.0)]).pooled
    assert (two.pearson_low, two.reason) == (None, "too few tasks for an interval (2)")
    assert (same.pearson, same.pearson_low) == (pytest.approx(1.0), None)
    assert same.reason.startswith("no interval for Pearson's r, Spearman's rho")


values = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)


@given(st.lists(st.tuples(st.sampled_from("abcd"), values, values), max_size=14))
@settings(max_examples=80)
def test_never_nan_and_never_outside(points: list[tuple[str, float, float]]) -> None:
    found = correlations([RunPair(*p) for p in points], resamples=50)
    for each in (found.pooled, found.within):
        assert isinstance(each, Correlation)
        for name in ("pearson", "spearman"):
            for value in (getattr(each, name), getattr(each, f"{name}_low"), getattr(each, f"{name}_high")):
                assert value is None or -1 <= value <= 1
        assert (each.pearson is None) <= bool(each.reason)
