import datetime

import pytest
from rosters import roster, shift

from wardhours import Hours, by_day, month_sheet, worked


@pytest.mark.parametrize(
    ("day", "times", "hours"),
    [
        ("2024-05-13", "08:00-16:30", Hours(510)),
        ("2024-05-13", "22:00-06:00", Hours(480, night=420)),
        ("2024-05-13", "04:30-07:00", Hours(150, night=90)),
        ("2024-05-11", "22:00-06:00", Hours(480, night=420, sunday=360)),
        ("2024-05-12", "06:00-06:00", Hours(1440, night=420, sunday=1080)),
        ("2024-12-31", "23:30-00:30", Hours(60, night=60)),
    ],
)
def test_hours_of_a_shift(day, times, hours):
    assert worked(shift(day, times)) == hours


def test_hours_belong_to_the_day_on_which_they_are_worked():
    assert by_day(shift("2024-05-31", "20:00-04:00")) == {
        datetime.date(2024, 5, 31): Hours(240, night=60),
        datetime.date(2024, 6, 1): Hours(240, night=240),
    }


def test_a_sheet_has_the_hours_of_its_month():
    shifts = roster(
        "2024-05-31 | mia | 20:00-04:00 | in_central",
        "2024-05-02 | mia | 08:00-09:00 | in_azores",
        "2024-06-02 | jon | 08:00-09:00 | in_azores",
    )
    assert month_sheet(shifts, 2024, 5) == {"mia": Hours(300, night=60)}
    assert month_sheet(shifts, 2024, 6) == {"jon": Hours(60, sunday=60), "mia": Hours(240, night=240)}
