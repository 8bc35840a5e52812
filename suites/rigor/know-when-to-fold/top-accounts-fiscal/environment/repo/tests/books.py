"""Books for the tests."""

import datetime

from salesdesk import Account, Book, Document

ACCOUNTS = [
    Account(1, "Anchor"),
    Account(2, "Buoy"),
    Account(3, "Cleat"),
    Account(4, "Cleat Ltd", merged_into=3),
    Account(5, "Cleat & Co", merged_into=4),
]


def document(
    date: str, account: int, net: int, kind: str = "invoice", status: str = "paid", rate: int = 20
) -> Document:
    day = datetime.date.fromisoformat(date)
    return Document(f"{kind[0].upper()}-{date}-{account}", day, account, kind, status, net, rate)


def book(*documents: Document) -> Book:
    return Book({account.number: account for account in ACCOUNTS}, documents)
