"""The monthly report as text."""

from __future__ import annotations

from collections.abc import Sequence

from .balances import balances, remainder, settle
from .model import Expense
from .money import format_amount
from .splits import shares


def report(expenses: Sequence[Expense]) -> str:
    lines = [_line(expense) for expense in expenses]
    found = balances(expenses)
    lines.append("")
    lines += [f"{name:<10} {format_amount(cents):>12}" for name, cents in found.items()]
    off = remainder(found)
    if off:
        lines.append(f"off by {format_amount(off)}")
    return "\n".join(lines)


def settlement(expenses: Sequence[Expense]) -> str:
    transfers = settle(balances(expenses))
    if not transfers:
        return "everybody is even"
    return "\n".join(f"{t.payer} pays {t.receiver} {format_amount(t.cents)}" for t in transfers)


def _line(expense: Expense) -> str:
    parts = ", ".join(f"{name} {format_amount(cents)}" for name, cents in shares(expense.split, expense.cents).items())
    return f"{expense.date} {expense.what:<16} {format_amount(expense.cents):>12}  ({expense.payer}) {parts}"
