"""Paired differences: exact where they can be checked by hand, and honest in simulated experiments with known truth."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from simulation import bounds

from rigorbench.base.stats.paired import EXACT_UP_TO, Effect, drawn_p, exact_p, paired_difference
from rigorbench.base.stats.resampling import interval, tail, uniform, weights


def against_zero(differences: list[float]) -> Effect:
    return paired_difference(
        {f"t{n:03}": [d] for n, d in enumerate(differences)}, {f"t{n:03}": [0.0] for n in range(999)}
    )


def by_enumeration(differences: list[float]) -> float:
    observed = abs(sum(differences)) - 1e-9
    flips = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in signs_of(len(differences))]
    return sum(total >= observed for total in flips) / len(flips)


def signs_of(count: int) -> list[tuple[int, ...]]:
    return list(itertools.product((1, -1), repeat=count))


def test_a_worked_example_by_hand() -> None:
    """Differences 3, 2, 2 and -1: of their 16 sign flips four have a sum of at least 6 in size."""
    found = paired_difference(
        {"a": [5.0, 7.0], "b": [4.0], "c": [3.0], "d": [1.0], "only here": [9.0]},
        {"a": [3.0], "b": [2.0], "c": [1.0, 1.0], "d": [2.0], "only there": [0.0]},
    )
    assert (found.value, found.tasks, found.runs) == (1.5, 4, 10)
    # 3+2+2-1 = 6 and 3+2+2+1 = 8, and their negatives: nothing else reaches 6.
    assert (found.p, found.exact, found.permutations) == (4 / 16, True, 16)
    assert (found.wins, found.ties, found.losses) == (3, 0, 1)
    spread = math.sqrt(((3 - 1.5) ** 2 + 2 * (2 - 1.5) ** 2 + (-1 - 1.5) ** 2) / 3)
    assert found.size == pytest.approx(1.5 / spread * math.gamma(1.5) / (math.sqrt(1.5) * math.gamma(1)))


@given(st.lists(st.sampled_from([-0.5, -0.25, -0.125, 0.0, 0.125, 0.25, 0.3, 1.0]), min_size=3, max_size=11))
@settings(max_examples=60)
def test_the_exact_test_is_the_enumeration_of_all_sign_flips(differences: list[float]) -> None:
    """Values with many ties: what rounding makes a little larger or smaller counts as equal."""
    assert exact_p(np.array(differences)) == pytest.approx(by_enumeration(differences), abs=1e-12)


def test_thirty_tasks_are_still_counted_exactly() -> None:
    """All of one sign: only two of the 2^30 ways are as extreme."""
    found = against_zero([0.1 + n / 1000 for n in range(EXACT_UP_TO)])
    assert (found.p, found.exact, found.permutations) == (2 / 2**30, True, 2**30)
    one_against = np.array([-0.1, *[0.1 + n / 1000 for n in range(1, EXACT_UP_TO)]])
    assert exact_p(one_against) == 4 / 2**30


def test_beyond_thirty_tasks_flips_are_drawn_and_the_observed_one_counts() -> None:
    found = against_zero([1.0] * 20 + [0.9] * 20)
    assert (found.p, found.exact, found.permutations) == (1 / 10_001, False, 10_000)
    chance = np.random.default_rng(2)
    for _ in range(5):
        differences = chance.normal(0.1, 0.3, 20)
        exact = exact_p(differences)
        low, high = bounds(10_000, exact)
        assert low <= drawn_p(differences) * 10_001 - 1 <= high


@pytest.mark.parametrize(
    ("tasks", "coverage"),
    [(7, 0.90), (30, 0.92)],
)
def test_intervals_cover_the_truth(tasks: int, coverage: float) -> None:
    """Task differences skewed like an exponential: 95 % is promised, at least this much must be kept."""
    chance = np.random.default_rng(tasks)
    drawn, trials = weights(tasks, 2_000), 1_000
    hits = 0
    for _ in range(trials):
        ends = interval(drawn @ chance.gamma(2, 0.1, tasks) / tasks, tasks)
        hits += ends[0] <= 0.2 <= ends[1]
    assert hits >= bounds(trials, coverage)[0]
    assert hits <= bounds(trials, 0.97)[1]


def test_the_widened_tail_is_that_of_students_t() -> None:
    assert tail(5) == pytest.approx(stats.norm.cdf(math.sqrt(5 / 4) * stats.t.ppf(0.025, 4)))
    assert tail(100_000) == pytest.approx(0.025, abs=1e-5)


def test_too_few_tasks_and_none() -> None:
    two = against_zero([0.5, 0.1])
    assert (two.value, two.low, two.p, two.size, two.wins) == (0.3, None, None, None, 2)
    assert two.reason == "too few tasks for an interval (2)"
    none = paired_difference({"a": [1.0], "b": []}, {"b": [1.0]})
    assert (none.value, none.p, none.tasks, none.reason) == (None, None, 0, "no task has both values")


def test_the_same_difference_everywhere_has_a_test_but_no_interval() -> None:
    found = against_zero([0.2] * 6)
    assert (found.value, found.low, found.size, found.p) == (pytest.approx(0.2), None, None, 2 / 64)
    assert "same on every task" in found.reason
    nothing = against_zero([0.0] * 6)
    assert (nothing.p, nothing.ties) == (1.0, 6)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.floats(-1, 1), min_size=1, max_size=3), min_size=3, max_size=8))
@settings(max_examples=40)
def test_turned_around_everything_turns_its_sign(values: dict[str, list[float]]) -> None:
    other = {task: [v / 2 for v in found] for task, found in values.items()}
    one, two = paired_difference(values, other, resamples=200), paired_difference(other, values, resamples=200)
    assert one.p == two.p
    assert one.value == pytest.approx(-two.value)  # type: ignore[operator]
    assert (one.wins, one.ties, one.losses) == (two.losses, two.ties, two.wins)
    if one.low is not None:
        assert one.high is not None
        assert one.low <= one.value + 1e-12  # type: ignore[operator]
        assert one.value - 1e-12 <= one.high  # type: ignore[operator]


def test_draws_are_the_same_everywhere() -> None:
    """The first numbers of the stream, so that a change of what lies beneath cannot go unseen."""
    assert uniform(3).tolist() == [0.25560417476879366, 0.30408829748843985, 0.8263211734388771]
    assert weights(4, 3).sum(axis=1).tolist() == [4.0, 4.0, 4.0]
    assert uniform(10_000).min() > 0
    assert uniform(10_000).max() < 1
