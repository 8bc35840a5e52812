"""What sessions cost, in words; what is computed from list prices always says so."""

from __future__ import annotations

from ...trajectory.cost import Basis, Cost
from .numbers import number
from .words import dollars

LISTED = "from list prices"
_WORDS: dict[Basis, str] = {"listed": "about ", "at least": "at least "}
_MARKS: dict[Basis, str] = {"listed": "~", "at least": ">"}


def cost_line(cost: Cost | None) -> str | None:
    """ "$0.42" by the log, "about $1.20, from list prices"; None when unknown."""
    if cost is None:
        return None
    if cost.basis == "stated":
        return number(cost.dollars, "dollars")
    return f"{bounded(cost.dollars, cost.basis)}, {LISTED}"


def bounded(amount: float, basis: Basis | None) -> str:
    """ "$0.42", "about $1.20", "at least $1.20"."""
    return f"{_WORDS.get(basis or 'stated', '')}{dollars(amount)}"


def cost_cell(amount: float | None, basis: Basis | None) -> str:
    """ "$0.42" by the log, "~$1.20" from list prices, ">$1.20" as well, of a part of the tokens; "" when unknown."""
    if amount is None:
        return ""
    text = dollars(amount)
    return f"{_MARKS.get(basis or 'stated', '')}{text}" if text[0] == "$" else text
