from pathlib import Path

import pytest

from trailbook import TrackError, dump, parse, read

RIDGE = Path(__file__).parents[1] / "examples" / "ridge.trk"


def test_what_is_read_is_written_again():
    text = "46.50000 8.00000 1500.0 0\n46.50070 8.00065 1523.8 75\n"
    assert dump(parse("# a walk\n\n" + text)) == text


def test_the_example_is_read():
    assert len(read(RIDGE)) == 24


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("46.5 8.0 1500", "line 1: expected four numbers"),
        ("46.5 8.0 high 0", "line 1: expected four numbers"),
        ("# x\n96.5 8.0 1500 0", "line 2: not a place on earth"),
        ("46.5 188.0 1500 0", "line 1: not a place on earth"),
        ("46.5 8.0 1500 10\n46.5 8.0 1500 9", "line 2: time runs backwards"),
    ],
)
def test_what_is_wrong_is_said(text, words):
    with pytest.raises(TrackError, match=words):
        parse(text)
