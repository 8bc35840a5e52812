"""What an export consists of."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from .errors import BookError

KINDS = ("invoice", "credit")
STATUSES = ("open", "paid", "void")


@dataclass(frozen=True)
class Account:
    """A customer. ``merged_into``: the number of the account that this one became a part of."""

    number: int
    name: str
    merged_into: int | None = None


@dataclass(frozen=True)
class Document:
    """An invoice or a credit note. ``net`` is positive in both, in cents."""

    number: str
    date: datetime.date
    account: int
    kind: str
    status: str
    net: int
    rate: int

    @property
    def revenue(self) -> int:
        """What it adds to the revenue, see docs/reports.md."""
        if self.status == "void":
            return 0
        return self.net if self.kind == "invoice" else -self.net


@dataclass(frozen=True)
class Book:
    """All accounts by number, and all documents in the order of the export."""

    accounts: dict[int, Account]
    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        for account in self.accounts.values():
            if account.merged_into is not None and account.merged_into not in self.accounts:
                raise BookError(f"account {account.number}: merged into {account.merged_into}, which is missing")
        for document in self.documents:
            if document.account not in self.accounts:
                raise BookError(f"document {document.number}: no account {document.account}")
