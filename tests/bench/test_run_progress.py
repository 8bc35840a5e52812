"""The estimate of the time left, and how it is said; progress where there is no terminal."""

from __future__ import annotations

import pytest

from rigorbench.bench.experiment.records import Cell
from rigorbench.bench.run.progress import ProgressLines, RunCounts, duration

CELLS = [Cell("t", "a", "h", "m", n) for n in range(1, 5)]


def test_what_is_left_follows_from_the_runs_so_far():
    clock = [0.0]
    counts = RunCounts(2, lambda: clock[0])
    counts.begin(CELLS, [], [])
    counts.started(CELLS[0])
    clock[0] = 5.0
    assert counts.left() is None, "nothing is promised before a run has ended"
    clock[0] = 10.0
    counts.scored(CELLS[0], None, None)
    counts.started(CELLS[1])
    clock[0] = 14.0
    assert counts.left() == pytest.approx((20 + 6) / 2)
    counts.total = 2
    assert counts.left() == pytest.approx(6.0)
    clock[0] = 99.0
    assert counts.left() == 0.0, "a run that takes longer than the mean promises nothing"
    clock[0], counts.total = 40.0, 4
    counts.scored(CELLS[1], None, None)
    assert counts.left() == pytest.approx(20.0)
    counts.total = 3
    assert counts.left() == pytest.approx(20.0), "one run cannot be shared out"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (45.4, "45 s"), (720, "12 min"), (7200, "2 h"), (12_000, "3 h 20 min")]
)
def test_durations_have_two_units_at_most(seconds, said):
    assert duration(seconds) == said


def test_without_a_terminal_lines_say_what_there_is_to_do_and_how_far_it_is():
    said, clock = [], [0.0]
    lines = ProgressLines(2, said.append, lambda: clock[0])
    lines.begin(CELLS, CELLS[:1], [])
    assert said == ["3 runs to do (1 done before), 2 at a time"]
    for cell, end in zip(CELLS[1:], (10.0, 20.0, 40.0), strict=True):
        lines.started(cell)
        clock[0] = end
        lines.scored(cell, None, None)
    assert said[1:] == ["3 of 4 runs done, about 10 s left"], "not more often than every 15 s, and not at the end"


def test_a_long_run_is_not_silent():
    said, clock = [], [0.0]
    lines = ProgressLines(1, said.append, lambda: clock[0])
    lines.begin(CELLS[:2], [], [])
    lines.started(CELLS[0])
    for clock[0] in (30.0, 70.0, 80.0, 131.0):
        lines.beat()
    lines.ended(CELLS[0])
    clock[0] = 200.0
    lines.beat()
    assert said[1:] == [
        "0 of 2 runs done, 1 running for up to 70 s",
        "0 of 2 runs done, 1 running for up to 2 min",
        "0 of 2 runs done, 1 running for up to 3 min, 1 of them being scored",
    ]
    lines.close()


def test_when_everything_was_done_before_that_is_said():
    said = []
    ProgressLines(2, said.append).begin(CELLS, CELLS, [])
    assert said == ["4 runs, all done before"]
