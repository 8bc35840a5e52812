"""The report for the tax office: net amounts and tax of each calendar quarter by rate."""

from __future__ import annotations

from collections import defaultdict

from .model import Book
from .money import tax, write_amount
from .periods import Quarter, calendar_quarter
from .table import Table


def vat_report(book: Book) -> Table:
    net: dict[tuple[Quarter, int], int] = defaultdict(int)
    due: dict[tuple[Quarter, int], int] = defaultdict(int)
    for document in book.documents:
        if document.status != "void":
            key = (calendar_quarter(document.date), document.rate)
            net[key] += document.revenue
            # The tax is rounded on each document, as it stands there.
            due[key] += tax(document.revenue, document.rate)
    rows = [
        (quarter.label, str(rate), write_amount(net[quarter, rate]), write_amount(due[quarter, rate]))
        for quarter, rate in sorted(net)
    ]
    return Table(("quarter", "rate", "net", "tax"), rows, right=("rate", "net", "tax"))
