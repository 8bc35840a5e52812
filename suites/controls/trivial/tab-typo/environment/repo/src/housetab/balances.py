"""Who has paid more than their share, who less, and which transfers make it even."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .model import Expense
from .splits import shares


@dataclass(frozen=True)
class Transfer:
    payer: str
    receiver: str
    cents: int


def balances(expenses: Iterable[Expense]) -> dict[str, int]:
    """Cents by person: positive for those who get money back. People come in the order in which the tab names them."""
    found: dict[str, int] = {}
    for expense in expenses:
        found[expense.payer] = found.get(expense.payer, 0) + expense.cents
        for name, share in shares(expense.split, expense.cents).items():
            found[name] = found.get(name, 0) - share
    return found


def remainder(found: dict[str, int]) -> int:
    """What the balances are off by: 0 in a tab that adds up."""
    return sum(found.values())


def settle(found: dict[str, int]) -> list[Transfer]:
    """Few transfers after which everybody is even: the largest debt goes to the largest credit first."""
    open_ = dict(found)
    transfers: list[Transfer] = []
    while True:
        debtor = min(open_, key=lambda name: (open_[name], name), default=None)
        creditor = max(open_, key=lambda name: (open_[name], name), default=None)
        if debtor is None or creditor is None or open_[debtor] >= 0 or open_[creditor] <= 0:
            return transfers
        cents = min(-open_[debtor], open_[creditor])
        transfers.append(Transfer(debtor, creditor, cents))
        open_[debtor] += cents
        open_[creditor] -= cents
