"""What the overview of many sessions shows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...metrics.result import PILLAR_TITLES
from ..text import words
from .summary import SessionRow


class Cell(Struct):
    """A pillar of a session: ``value`` None shows ``text`` (n/a, unscorable)."""

    value: float | None
    text: str


class OverviewRow(Struct):
    """A session in the overview; ``href`` is the address of its page."""

    row: SessionRow
    href: str
    date: str
    score: str
    share: str
    cells: list[Cell]


def overview(entries: Sequence[tuple[SessionRow, str]]) -> list[OverviewRow]:
    """The rows of the overview, latest first; sessions without a date last, by source."""
    ordered = sorted(entries, key=lambda entry: entry[0].source)
    ordered.sort(key=lambda entry: entry[0].date or "", reverse=True)
    return [_row(row, href) for row, href in ordered]


def _row(row: SessionRow, href: str) -> OverviewRow:
    cells = []
    for name in PILLAR_TITLES:
        value = row.pillars.get(name)
        status = row.statuses.get(name, "not_applicable")
        cells.append(Cell(value, words.score(value) if value is not None else words.STATUS_WORDS.get(status, status)))
    date = words.date(row.date)
    return OverviewRow(
        row,
        href,
        date.removesuffix(" UTC") if date else "",
        words.score(row.score),
        words.percent(row.evidence_share),
        cells,
    )
