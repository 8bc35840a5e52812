"""The report for the board: the revenue of each fiscal quarter, and how it changed."""

from __future__ import annotations

from collections import defaultdict

from .model import Book
from .money import write_amount
from .periods import Quarter, fiscal_quarter
from .table import Table


def board_report(book: Book) -> Table:
    revenue: dict[Quarter, int] = defaultdict(int)
    for document in book.documents:
        revenue[fiscal_quarter(document.date)] += document.revenue
    rows = []
    before: int | None = None
    for quarter in sorted(revenue):
        now = revenue[quarter]
        rows.append((quarter.label, write_amount(now), "" if before is None else write_amount(now - before)))
        before = now
    return Table(("quarter", "revenue", "change"), rows, right=("revenue", "change"))
