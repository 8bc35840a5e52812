from datetime import UTC, datetime, timedelta

import pytest

from footfall import FootfallError
from footfall.logs import read_log


def test_a_log(log):
    found = read_log(log("north", lines=["7 2024-05-06T07:00:12Z in", "8 2024-05-06T07:00:40Z out"]))
    assert (found.gate, found.offset, len(found.events)) == ("north", timedelta(hours=2), 2)
    assert found.events[0].time == datetime(2024, 5, 6, 7, 0, 12, tzinfo=UTC)
    assert [event.number for event in found.events] == [7, 8]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#end 2\n", "", "north.log: 2 events, but #end says nothing"),
        ("#end 2", "#end 3", "north.log: 2 events, but #end says 3"),
        ("#gate north", "", "north.log:1: '' is no event"),
        ("#gate north\n", "", "north.log:2: #gate with the name of the gate is missing"),
        ("#offset +02:00", "#offset 2", "north.log: #offset such as +02:00 is missing"),
        ("5 2024", "4294967296 2024", "north.log:3: 4294967296 is more than a gate can count"),
        ("T07:00", "T27:00", "north.log:3: 2024-05-06T27:00:00Z is no time"),
        (" in", " up", "north.log:3: '5 2024-05-06T07:00:00Z up' is no event"),
    ],
)
def test_what_is_no_log(log, old, new, message):
    path = log("north", [5, 6])
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(FootfallError) as caught:
        read_log(path)
    assert str(caught.value) == message


def test_a_missing_log(tmp_path):
    with pytest.raises(FootfallError, match=r"none\.log: No such file"):
        read_log(tmp_path / "none.log")
