"""Tabs as text: one expense per line."""

from __future__ import annotations

import datetime
from pathlib import Path

from .model import KINDS, Expense, Split, TabError
from .money import parse_amount


def load(path: Path) -> list[Expense]:
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> list[Expense]:
    """The expenses of a tab; blank lines and comments (``#``) are passed over."""
    expenses = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            expenses.append(_expense(line))
        except TabError as error:
            raise TabError(f"line {number}: {error}") from None
    return expenses


def _expense(line: str) -> Expense:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 5:
        raise TabError(f"expected 5 fields, found {len(fields)}")
    date, payer, amount, what, split = fields
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise TabError(f"not a date: {date!r}") from None
    if not payer:
        raise TabError("nobody paid")
    return Expense(day, payer, parse_amount(amount), what, _split(split))


def _split(text: str) -> Split:
    kind, colon, rest = text.partition(":")
    kind = kind.strip()
    if not colon or kind not in KINDS:
        raise TabError(f"expected one of {', '.join(KINDS)} and a colon, found {text!r}")
    if kind == "equal":
        return Split.equal(*rest.replace(",", " ").split())
    parts = []
    for entry in rest.split(","):
        words = entry.split()
        if len(words) != 2:
            raise TabError(f"expected a name and a number, found {entry.strip()!r}")
        parts.append((words[0], words[1]))
    return Split(kind, tuple(parts))
