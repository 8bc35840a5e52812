"""Accounts that were merged into others, and the documents of an account."""

from __future__ import annotations

from .errors import BookError
from .model import Account, Book, Document


def owner(book: Book, number: int) -> Account:
    """The account to which one with this number belongs now: itself, unless it was merged.

    Raises:
        BookError: there is no such account, or accounts are merged in a circle.
    """
    seen: list[int] = []
    while True:
        account = book.accounts.get(number)
        if account is None:
            raise BookError(f"no account {number}")
        if account.merged_into is None:
            return account
        if number in seen:
            raise BookError(f"accounts are merged in a circle: {', '.join(map(str, seen))}")
        seen.append(number)
        number = account.merged_into


def documents_of(book: Book, number: int) -> list[Document]:
    """All documents that belong to an account now, by date."""
    found = [document for document in book.documents if owner(book, document.account).number == number]
    return sorted(found, key=lambda document: (document.date, document.number))
