"""Quarters, of the calendar and of our fiscal year (docs/reports.md)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

# The month in which the fiscal year begins.
FISCAL_START = 2


@dataclass(frozen=True, order=True)
class Quarter:
    """Three months. ``first``: the first day of it; ``label``: how reports write it."""

    first: datetime.date
    label: str


def calendar_quarter(day: datetime.date) -> Quarter:
    number = (day.month - 1) // 3
    return Quarter(datetime.date(day.year, 3 * number + 1, 1), f"{day.year}-Q{number + 1}")


def fiscal_quarter(day: datetime.date) -> Quarter:
    """The quarter of the fiscal year, which is named after the calendar year in which it begins."""
    months = day.year * 12 + day.month - FISCAL_START
    year, number = months // 12, months % 12 // 3
    start = year * 12 + FISCAL_START - 1 + 3 * number
    return Quarter(datetime.date(start // 12, start % 12 + 1, 1), f"FY{year}-Q{number + 1}")
