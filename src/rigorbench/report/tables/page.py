"""All tables and the figure on one HTML page, offline."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from ..session.html import render as render_page
from ..text import shown
from ..text.cells import Table, footnotes
from .figure import Figure, figure_svg


class CellView(Struct):
    text: str
    interval: str
    basis: str
    mark: str
    details: str
    number: bool


class TableView(Struct):
    anchor: str
    heading: str
    caption: str
    heads: list[str]
    columns: list[tuple[str, bool]]
    rows: list[tuple[list[str], list[CellView]]]
    footnotes: list[tuple[str, str]]
    notes: list[str]


class FigureView(Struct):
    anchor: str
    heading: str
    caption: str
    svg: Markup


def render(
    tables: Sequence[Table],
    figures: Sequence[Figure],
    *,
    suite: str,
    experiment: str,
    index: str | None = None,
) -> str:
    """The page. ``index``: address of the experiment's first page."""
    drawn = [FigureView(f.name, f.title, f.caption, Markup(figure_svg(f))) for f in figures if f.points]
    return render_page(
        "tables.html.j2",
        "bare.js",
        ["tables.css"],
        tables=[_table(table) for table in tables],
        figures=drawn,
        suite=suite,
        experiment=experiment,
        rounding=shown.ROUNDING,
        index=index,
    )


def _table(table: Table) -> TableView:
    marks = footnotes(table)
    rows = []
    for row in table.rows:
        cells = [
            CellView(
                shown.value(entry, column),
                shown.interval(entry, column),
                shown.basis(entry, column, row),
                marks.get(entry.reason, ""),
                shown.details(entry),
                column.unit != "text",
            )
            for entry, column in zip(row.entries, table.columns, strict=True)
        ]
        rows.append((row.labels, cells))
    heading = f"{table.heading} (scripted policies)" if table.scripted else table.heading
    columns = [(column.title, column.unit != "text") for column in table.columns]
    notes = [(mark, reason) for reason, mark in marks.items()]
    return TableView(table.name, heading, table.caption, table.heads, columns, rows, notes, table.notes)
