"""The report for the telephone: all documents of an account."""

from __future__ import annotations

from .accounts import documents_of, owner
from .model import Book
from .money import write_amount
from .table import Table


def statement(book: Book, number: int) -> Table:
    """The documents of the account, also those written for accounts that were merged into it."""
    account = owner(book, number)
    rows = [
        (document.date.isoformat(), document.number, document.kind, document.status, write_amount(document.revenue))
        for document in documents_of(book, account.number)
    ]
    return Table(("date", "document", "kind", "status", "revenue"), rows, right=("revenue",))
