import pytest

from trailbook import TrackError, dump, nearest, parse, splits, summary, thin
from trailbook.nearby import passes

# 0.001 degrees of latitude are 111.19 m.
NORTH = parse("46.000 8 500 0\n46.001 8 510 100\n46.002 8 505 200\n46.003 8 506 1200\n")


def test_the_summary():
    s = summary(NORTH)
    assert s.length == pytest.approx(333.6, abs=0.1)
    assert (s.ascent, s.descent, s.lowest, s.highest) == (10, 5, 500, 510)
    assert (s.seconds, s.resting) == (1200, 1000)
    assert s.speed == pytest.approx(1.668, abs=0.001)
    assert s.heading == pytest.approx(0, abs=0.01)


def test_a_single_point_has_no_summary():
    with pytest.raises(TrackError, match="two points"):
        summary(NORTH[:1])


def test_splits():
    parts = splits(NORTH, 100)
    assert [part.length for part in parts[:-1]] == [100, 100, 100]
    assert sum(part.seconds for part in parts) == pytest.approx(1200)
    assert sum(part.rise for part in parts) == pytest.approx(6)
    assert splits([], 100) == []
    with pytest.raises(TrackError, match="length"):
        splits(NORTH, 0)


def test_a_straight_line_is_thinned_to_its_ends():
    assert dump(thin(NORTH, 1)) == dump([NORTH[0], NORTH[-1]])


def test_corners_are_kept():
    corner = parse("46 8 0 0\n46.01 8 0 1\n46.01 8.01 0 2\n")
    assert dump(thin(corner, 10)) == dump(corner)


def test_a_loop_is_not_thinned_away():
    loop = parse("46 8 0 0\n46.01 8 0 1\n46.01 8.01 0 2\n46 8 0 3\n")
    assert len(thin(loop, 10)) == 4


def test_the_nearest_point():
    point, away = nearest(NORTH, 46.0021, 8.0)
    assert dump([point]) == "46.00200 8.00000 505.0 200\n"
    assert away == pytest.approx(11.1, abs=0.1)
    with pytest.raises(TrackError, match="no points"):
        nearest([], 46, 8)


def test_how_often_a_place_was_passed():
    there_and_back = parse("46 8 0 0\n46.001 8 0 10\n46.002 8 0 20\n46.001 8 0 30\n46 8 0 40\n")
    assert passes(there_and_back, 46.001, 8, 20) == [(10, 10), (30, 30)]
    assert passes(there_and_back, 46.002, 8, 150) == [(10, 30)]
    assert passes(there_and_back, 47, 8, 20) == []
