"""Numbers for people: rounded, but never so that a number looks like one that was not measured.

What is computed from list prices always says so.
"""

from __future__ import annotations

import math
from typing import Literal

from ...session.cost import Basis, Cost
from . import words

# What a number is, and so how it is shown. "text" and "count" are shown as they are.
Unit = Literal[
    "text", "count", "share", "percent", "difference", "change", "number", "grade", "p", "tokens", "token_difference",
    "seconds", "dollars", "kappa",
]  # fmt: skip
_MINUS = "−"
LISTED = "from list prices"
_ABOUT: dict[Basis, str] = {"listed": "about ", "at least": "at least "}
_MARKS: dict[Basis, str] = {"listed": "~", "at least": ">"}


def number(found: float, unit: Unit) -> str:
    """A figure as the tables print it: shares and scores in [0, 1] with two places, the rest with its unit."""
    match unit:
        case "count" | "text":
            return words.count(found) if isinstance(found, int) else f"{found:g}"
        case "tokens":
            return words.count(round(found))
        case "token_difference":
            text = words.count(abs(round(found)))
            return text if text == "0" else f"{'+' if found > 0 else _MINUS}{text}"
        case "seconds":
            return words.duration(found) if found >= 9.95 else f"{found:.1f} s"
        case "dollars":
            return f"${_decimals(found, 2)}" if found >= 0 else f"{_MINUS}${_decimals(-found, 2)}"
        case "percent":
            return f"{_decimals(found * 100, 0)} %"
        case "change":
            text = f"{_decimals(abs(found) * 100, 0)} %"
            return text if text == "0 %" else f"{'+' if found > 0 else _MINUS}{text}"
        case "grade":
            return _decimals(found, 0)
        case "p":
            return "<0.001" if found < 0.001 else f"{found:.3f}"
        case "difference":
            text = _decimals(abs(found), 2)
            return text if found == 0 else f"{'+' if found > 0 else _MINUS}{text}"
    text = _decimals(abs(found), 2)
    return f"{_MINUS}{text}" if found < 0 else text


def _decimals(found: float, places: int) -> str:
    """Rounded to ``places``, or to as many as it takes not to look like a whole number that it is not."""
    text = f"{found:.{places}f}"
    if float(text) in (0.0, 1.0, 100.0) and not math.isclose(float(text), found, rel_tol=0, abs_tol=5e-7):
        away = abs(found - float(text))
        places = max(places, math.ceil(-math.log10(away)))
        text = f"{found:.{places}f}"
        # 0.00096 at four decimals is 0.0010, which is right; 0.9996 at three would be 1.000.
        if float(text) in (0.0, 1.0, 100.0):
            text = f"{found:.{places + 1}f}"
    return text


def cost_line(cost: Cost | None) -> str | None:
    """ "$0.42" by the log, "about $1.20, from list prices"; None when unknown."""
    if cost is None:
        return None
    if cost.basis == "stated":
        return number(cost.dollars, "dollars")
    return f"{bounded(cost.dollars, cost.basis)}, {LISTED}"


def bounded(amount: float, basis: Basis | None) -> str:
    """ "$0.42", "about $1.20", "at least $1.20"."""
    return f"{_ABOUT.get(basis or 'stated', '')}{words.dollars(amount)}"


def cost_cell(amount: float | None, basis: Basis | None) -> str:
    """ "$0.42" by the log, "~$1.20" from list prices, ">$1.20" as well, of a part of the tokens; "" when unknown."""
    if amount is None:
        return ""
    text = words.dollars(amount)
    return f"{_MARKS.get(basis or 'stated', '')}{text}" if text[0] == "$" else text
