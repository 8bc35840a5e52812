"""What the overview of many sessions shows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...review.model import GRADES
from ..text import words
from .summary import SessionRow


class Cell(Struct):
    """A grade of a session: ``value`` None shows ``text`` ("n/a", "?")."""

    value: int | None
    text: str


class OverviewRow(Struct):
    """A session in the overview; ``href``: the address of its page; ``flags``: their number, and what they are."""

    row: SessionRow
    href: str
    date: str
    overall: str
    flags: str
    cells: list[Cell]


def overview(entries: Sequence[tuple[SessionRow, str]]) -> list[OverviewRow]:
    """The rows of the overview, latest first; sessions without a date last, by source."""
    ordered = sorted(entries, key=lambda entry: entry[0].source)
    ordered.sort(key=lambda entry: entry[0].date or "", reverse=True)
    return [_row(row, href) for row, href in ordered]


def _row(row: SessionRow, href: str) -> OverviewRow:
    cells = []
    for name in GRADES:
        value = row.grades.get(name)
        cells.append(Cell(value, words.graded(value, row.statuses.get(name, "not_applicable"))))
    date = words.date(row.date)
    flags = f"{len(row.flags)}: {', '.join(dict.fromkeys(row.flags))}" if row.flags else "0"
    return OverviewRow(
        row,
        href,
        date.removesuffix(" UTC") if date else "",
        "–" if row.overall is None else str(row.overall),
        flags,
        cells,
    )
