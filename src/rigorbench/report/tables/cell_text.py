"""A cell as text."""

from __future__ import annotations

from ..text import words
from ..text.numbers import number
from .model import Column, Entry, Row

ROUNDING = (
    "Shares, scores and differences are rounded to two decimals; a value that would round to 0 or 1 without being it "
    "has more decimals. The CSV files have full precision. An empty cell has no value; its note says why."
)
# These rest on the runs of two conditions, and the row is of one.
_OF_BOTH = ("difference", "change", "token_difference", "p")


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
    """What follows a value: its n where it differs from the row's, and the evidence share where it is shown."""
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
