"""The estimate of the time left, and how it is said."""

from __future__ import annotations

import pytest

from rigorbench.bench.progress.bar import Estimate, duration
from rigorbench.experiment.model import Cell

CELLS = [Cell("t", "a", "h", "m", n) for n in range(1, 5)]


def test_nothing_is_promised_before_a_run_has_ended():
    estimate = Estimate(2)
    estimate.started(CELLS[0], 0.0)
    assert estimate.left(3, 5.0) is None


def test_what_is_left_follows_from_the_runs_so_far():
    estimate = Estimate(2)
    estimate.started(CELLS[0], 0.0)
    estimate.finished(CELLS[0], 10.0)
    estimate.started(CELLS[1], 10.0)
    assert estimate.left(0, 14.0) == pytest.approx(6.0)
    assert estimate.left(2, 14.0) == pytest.approx((20 + 6) / 2)
    assert estimate.left(0, 99.0) == 0.0, "a run that takes longer than the mean promises nothing"
    estimate.finished(CELLS[1], 40.0)
    assert estimate.left(2, 40.0) == pytest.approx(20.0)
    assert estimate.left(1, 40.0) == pytest.approx(20.0), "one run cannot be shared out"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (45.4, "45 s"), (720, "12 min"), (7200, "2 h"), (12_000, "3 h 20 min")]
)
def test_durations_have_two_units_at_most(seconds, said):
    assert duration(seconds) == said
