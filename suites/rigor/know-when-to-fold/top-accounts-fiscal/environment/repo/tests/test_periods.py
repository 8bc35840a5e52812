import datetime

import pytest

from salesdesk import calendar_quarter, fiscal_quarter


@pytest.mark.parametrize(
    ("day", "label", "first"),
    [
        ("2024-01-01", "2024-Q1", "2024-01-01"),
        ("2024-03-31", "2024-Q1", "2024-01-01"),
        ("2024-04-01", "2024-Q2", "2024-04-01"),
        ("2024-12-31", "2024-Q4", "2024-10-01"),
    ],
)
def test_calendar_quarters(day, label, first):
    quarter = calendar_quarter(datetime.date.fromisoformat(day))
    assert (quarter.label, quarter.first.isoformat()) == (label, first)


@pytest.mark.parametrize(
    ("day", "label", "first"),
    [
        ("2024-02-01", "FY2024-Q1", "2024-02-01"),
        ("2024-04-30", "FY2024-Q1", "2024-02-01"),
        ("2024-10-31", "FY2024-Q3", "2024-08-01"),
        ("2024-12-31", "FY2024-Q4", "2024-11-01"),
        ("2025-01-31", "FY2024-Q4", "2024-11-01"),
        ("2025-02-01", "FY2025-Q1", "2025-02-01"),
    ],
)
def test_fiscal_quarters(day, label, first):
    quarter = fiscal_quarter(datetime.date.fromisoformat(day))
    assert (quarter.label, quarter.first.isoformat()) == (label, first)
