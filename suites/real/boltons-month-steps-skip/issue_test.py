"""Series of dates that meet months without their day."""

from datetime import date

from boltons.timeutils import daterange


def test_months_that_are_too_short_are_left_out():
    found = list(daterange(date(2024, 1, 31), date(2024, 8, 1), step=(0, 1, 0)))
    assert found == [date(2024, month, 31) for month in (1, 3, 5, 7)]


def test_years_without_a_leap_day_are_left_out():
    found = list(daterange(date(2020, 2, 29), date(2025, 1, 1), step=(1, 0, 0)))
    assert found == [date(2020, 2, 29), date(2024, 2, 29)]


def test_backwards():
    found = list(daterange(date(2024, 5, 31), date(2024, 1, 1), step=(0, -1, 0)))
    assert found == [date(2024, month, 31) for month in (5, 3, 1)]
