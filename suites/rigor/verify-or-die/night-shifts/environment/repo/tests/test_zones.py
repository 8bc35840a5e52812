import datetime

import pytest

from wardhours.zones import ZONES, changes

UTC = datetime.timezone.utc


def test_clocks_are_changed_on_the_last_sundays():
    assert changes(2024) == (datetime.datetime(2024, 3, 31, 1), datetime.datetime(2024, 10, 27, 1))
    assert changes(2027) == (datetime.datetime(2027, 3, 28, 1), datetime.datetime(2027, 10, 31, 1))


@pytest.mark.parametrize(
    ("zone", "utc", "shown"),
    [
        ("central", "2024-01-15 12:00", "13:00"),
        ("central", "2024-07-15 12:00", "14:00"),
        ("central", "2024-03-31 00:59", "01:59"),
        ("central", "2024-03-31 01:00", "03:00"),
        ("central", "2024-10-27 00:59", "02:59"),
        ("central", "2024-10-27 01:00", "02:00"),
        ("azores", "2024-03-31 01:00", "01:00"),
        ("azores", "2024-10-27 01:00", "00:00"),
        ("iceland", "2024-07-15 12:00", "12:00"),
    ],
)
def test_what_the_clock_shows(zone, utc, shown):
    moment = datetime.datetime.fromisoformat(utc).replace(tzinfo=UTC)
    local = moment.astimezone(ZONES[zone])
    assert f"{local:%H:%M}" == shown
    assert local.astimezone(UTC) == moment


def test_a_time_that_comes_twice():
    first = datetime.datetime(2024, 10, 27, 2, 30, tzinfo=ZONES["central"])
    assert first.astimezone(UTC).time() == datetime.time(0, 30)
    assert first.replace(fold=1).astimezone(UTC).time() == datetime.time(1, 30)
