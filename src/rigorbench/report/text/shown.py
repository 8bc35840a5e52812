"""How a cell reads: rounded for people, never so that a number becomes one that was not measured."""

from __future__ import annotations

import math

from . import words
from .cells import Column, Entry, Row, Unit

ROUNDING = (
    "Shares, scores and differences are rounded to two decimals; what would round to 0 or 1 without being it keeps the "
    "decimals that show it. The CSV files have full precision. An empty cell has no value; its note says why."
)
_MINUS = "−"
# They rest on the runs of both sides, which is no n of the row.
_OF_BOTH = ("difference", "token_difference", "p")


def value(entry: Entry, column: Column) -> str:
    """The value alone; "" without one."""
    found = entry.value
    if found is None:
        return ""
    if isinstance(found, str):
        return found
    return number(found, column.unit)


def interval(entry: Entry, column: Column) -> str:
    """ "[0.61, 0.80]"; "" without one."""
    if entry.low is None or entry.high is None:
        return ""
    unit = column.unit
    return f"[{number(entry.low, unit)}, {number(entry.high, unit)}]"


def basis(entry: Entry, column: Column, row: Row) -> str:
    """What is said behind a value: its own n where it is not the row's, the evidence share where it is shown."""
    parts = []
    one_side = column.unit not in _OF_BOTH
    if one_side and entry.value is not None and entry.runs is not None and entry.runs != row.runs:
        parts.append(f"n {words.count(entry.runs)}")
    if column.evidence and entry.evidence_share is not None:
        parts.append(f"e {number(entry.evidence_share, 'percent')}")
    return ", ".join(parts)


def details(entry: Entry) -> str:
    """Everything that a cell rests on, in one line."""
    parts = []
    if entry.runs is not None:
        parts.append(words.plural(entry.runs, "run"))
    if entry.tasks is not None:
        parts.append(words.plural(entry.tasks, "task"))
    if entry.evidence_share is not None:
        parts.append(f"evidence share {number(entry.evidence_share, 'percent')}")
    if entry.methods:
        parts.append(", ".join(f"{name} {number(share, 'percent')}" for name, share in entry.methods.items()))
    return "; ".join([*parts, entry.reason] if entry.reason else parts)


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
