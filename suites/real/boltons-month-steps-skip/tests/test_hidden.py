"""Series of dates by months and years."""

from datetime import date, datetime, timedelta

from boltons.timeutils import daterange

MONTH, YEAR = (0, 1, 0), (1, 0, 0)


def series(*given, **more):
    """A series that is cut off, should it not end."""
    found = []
    for day in daterange(*given, **more):
        found.append(day)
        assert len(found) < 500
    return found


def test_the_day_comes_again_in_each_month_that_has_it():
    found = series(date(2024, 1, 31), date(2025, 2, 1), step=MONTH)
    assert [d.month for d in found if d.day == 31] == [1, 3, 5, 7, 8, 10, 12, 1]
    assert found == sorted(found)
    assert len({(d.year, d.month) for d in found}) == len(found)
    found = series(datetime(2025, 1, 30, 12, 15), datetime(2025, 5, 1), step=MONTH)
    assert [d for d in found if d.month != 2] == [datetime(2025, m, 30, 12, 15) for m in (1, 3, 4)]


def test_leap_days_come_again():
    found = series(date(2020, 2, 29), date(2029, 1, 1), step=YEAR)
    assert [d for d in found if d.day == 29] == [date(y, 2, 29) for y in (2020, 2024, 2028)]
    assert {d.month for d in found} == {2}


def test_series_that_go_backwards():
    found = series(date(2024, 5, 31), date(2023, 12, 31), step=(0, -1, 0), inclusive=True)
    assert [d for d in found if d.day == 31] == [date(2024, m, 31) for m in (5, 3, 1)] + [date(2023, 12, 31)]


def test_other_series_are_as_before():
    assert series(date(2024, 1, 15), date(2024, 4, 15), step=MONTH) == [date(2024, m, 15) for m in (1, 2, 3)]
    assert series(date(2024, 10, 25), date(2025, 1, 1), step=(0, 1, 1)) == [
        date(2024, 10, 25),
        date(2024, 11, 26),
        date(2024, 12, 27),
    ]
    assert series(date(2024, 1, 30), date(2024, 2, 2)) == [date(2024, 1, 30), date(2024, 1, 31), date(2024, 2, 1)]
    two = timedelta(days=2)
    assert series(date(2024, 1, 30), date(2024, 2, 3), step=two, inclusive=True) == [
        date(2024, 1, 30),
        date(2024, 2, 1),
        date(2024, 2, 3),
    ]


def test_months_without_the_day_are_left_out():
    found = series(date(2024, 1, 31), date(2024, 8, 1), step=MONTH)
    assert found == [date(2024, m, 31) for m in (1, 3, 5, 7)]
    found = series(date(2025, 1, 29), date(2025, 5, 1), step=MONTH)
    assert found == [date(2025, m, 29) for m in (1, 3, 4)]


def test_years_without_the_day_are_left_out():
    found = series(date(2020, 2, 29), date(2029, 1, 1), step=YEAR)
    assert found == [date(y, 2, 29) for y in (2020, 2024, 2028)]
    found = series(date(2024, 5, 31), date(2023, 12, 1), step=(0, -1, 0))
    assert found == [date(2024, m, 31) for m in (5, 3, 1)] + [date(2023, 12, 31)]
