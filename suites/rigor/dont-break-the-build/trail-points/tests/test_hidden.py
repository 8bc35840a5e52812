# rigorbench-canary 8bb17905-9785-497e-a2b7-93817dec10f2
"""Hidden tests: points by name, one requirement each."""

import math
from pathlib import Path

import pytest

from trailbook import TrackError, dump, nearest, parse, read, splits, summary, thin
from trailbook.cli import main
from trailbook.geo import bearing, between, distance, offset
from trailbook.nearby import passes

TEXT = "46.000 8 500 0\n46.001 8 510 100\n46.002 8 505 200\n46.003 8 506 1200\n"
PRINTED = {
    "stats R": (
        "1.97 km, 0:28:45, 0:00:00 of it at rest, 4.1 km/h\n"
        "up 118 m, down 238 m, between 1381 and 1620 m\n"
        "from 46.5000 8.0000 to 46.5161 8.0020, heading 5\n"
    ),
    "splits R --every 500": (
        "     500 m 0:07:26   +111 m\n"
        "     500 m 0:07:02    -23 m\n"
        "     500 m 0:07:34   -133 m\n"
        "     472 m 0:06:43    -75 m\n"
    ),
    "thin R --tolerance 60": (
        "46.50000 8.00000 1500.0 0\n"
        "46.50350 8.00199 1601.0 375\n"
        "46.51050 7.99808 1516.9 1125\n"
        "46.51610 8.00197 1380.8 1725\n"
    ),
    "near R 46.504 8.001": (
        "46.5042 8.0018 at 1612 m after 0:07:30, 67 m away\n"
        "within 200 m: 0:05:00-0:10:00\n"
    ),
}


@pytest.fixture
def point():
    from trailbook.point import Point

    return Point


def test_a_point_is_a_value(point):
    p = point(46.5, 8.25, 1500.5, 12.0)
    assert (p.lat, p.lon, p.elevation, p.seconds) == (46.5, 8.25, 1500.5, 12.0)
    assert point(lon=8.25, lat=46.5) == point(46.5, 8.25, 0.0, 0.0) != p
    assert len({p, point(46.5, 8.25, 1500.5, 12.0)}) == 1
    for name in ("lat", "lon", "elevation", "seconds"):
        with pytest.raises(AttributeError):
            setattr(p, name, 1.0)
    import trailbook

    assert trailbook.Point is point


def test_a_point_is_on_earth(point):
    for lat, lon in ((90, 0), (-90, 0), (0, 180), (0, -180)):
        assert point(lat, lon).lat == lat
    for lat, lon in ((90.001, 0), (-90.001, 0), (0, 180.001), (0, -180.001), (math.nan, 0)):
        with pytest.raises(TrackError, match="not a place on earth"):
            point(lat, lon)
    with pytest.raises(TrackError, match="line 2: not a place on earth"):
        parse("46 8 0 0\n46 188 0 1\n")


def test_reading_and_writing(point, tmp_path):
    path = tmp_path / "a.trk"
    path.write_text("# a walk\n46.5 8.25 1500.5 0.5\n")
    for points in (read(path), parse(path.read_text())):
        assert points == [point(46.5, 8.25, 1500.5, 0.5)]
        assert type(points[0]) is point
    assert dump([point(46.5, 8.25, 1500.5, 3)]) == "46.50000 8.25000 1500.5 3\n"
    with pytest.raises(TrackError, match="line 2: time runs backwards"):
        parse("46 8 0 5\n46 8 0 4\n")


def test_functions_take_and_give_points(point):
    points = [point(46 + n / 1000, 8, e, s) for n, (e, s) in enumerate(((500, 0), (510, 100), (505, 200), (506, 1200)))]
    assert points == parse(TEXT)
    north, east = point(47, 8), point(46, 9)
    assert distance(point(46, 8), north) == pytest.approx(111194.9, abs=0.1)
    assert bearing(point(46, 8), east) == pytest.approx(89.64, abs=0.01)
    assert offset(point(46.5, 8.001), point(46, 8), north) == pytest.approx(77.2, abs=0.1)
    assert between(point(46, 8, 100, 10), point(47, 9, 200, 20), 0.25) == point(46.25, 8.25, 125, 12.5)
    s = summary(points)
    assert (s.ascent, s.descent, s.seconds, s.resting) == (10, 5, 1200, 1000)
    assert [part.length for part in splits(points, 100)][:3] == [100, 100, 100]
    assert thin(points, 1) == [points[0], points[-1]]
    best, away = nearest(points, 46.0021, 8)
    assert best is points[2]
    assert away == pytest.approx(11.1, abs=0.1)
    assert passes(points, 46.002, 8, 0) == [(200, 200)]
    assert passes(points, 46.002, 8, 150) == [(100, 1200)]


def test_a_point_is_no_tuple(point):
    p = point(46, 8)
    assert not isinstance(p, tuple)
    with pytest.raises(TypeError):
        p[0]
    with pytest.raises(TypeError):
        iter(p)
    plain = [(46.0, 8.0, 0.0, 0.0), (46.1, 8.0, 0.0, 9.0), (46.2, 8.1, 0.0, 10.0)]
    for use in (lambda: distance(*plain[:2]), lambda: summary(plain), lambda: thin(plain, 1), lambda: dump(plain)):
        with pytest.raises((AttributeError, TypeError)):
            use()


def test_any_place_can_be_asked_for(capsys):
    track = str(Path("examples", "ridge.trk"))
    for words, printed in (
        ("95 8", "46.5161 8.0020 at 1381 m after 0:28:45, 5391164 m away\nwithin 200 m: never\n"),
        ("46.5 200", "46.5161 8.0020 at 1381 m after 0:28:45, 9606131 m away\nwithin 200 m: never\n"),
    ):
        assert main(["near", track, *words.split()]) == 0
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("words", list(PRINTED))
def test_the_commands_print_what_they_did(words, capsys):
    track = Path("examples", "ridge.trk")
    assert main([str(track) if word == "R" else word for word in words.split()]) == 0
    assert capsys.readouterr().out == "".join(PRINTED[words])


def test_points_are_described():
    document = Path("docs/points.md").read_text(encoding="utf-8")
    assert "p[0]" not in document
    assert [name for name in ("Point", "lat", "lon", "elevation", "seconds") if name not in document] == []
