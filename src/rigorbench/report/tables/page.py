"""All tables and the figure on one HTML page, offline."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from ..pages import Page
from ..pages import render as render_page
from . import cell_text
from .figure import Figure, figure_svg
from .model import Table, footnotes


class CellView(Struct):
    """A cell: its value, what is written below it, the mark of its footnote, and what it rests on.

    ``number``: whether it is aligned as a number; ``best``: whether it is the best of its column.
    """

    text: str
    interval: str
    basis: str
    mark: str
    details: str
    number: bool
    best: bool = False


class TableView(Struct):
    """A table. ``columns``: title, and whether it holds numbers; ``rows``: labels and cells; ``footnotes``: mark and
    text; ``notes``: what applies to the whole table."""

    anchor: str
    heading: str
    caption: str
    heads: list[str]
    columns: list[tuple[str, bool]]
    rows: list[tuple[list[str], list[CellView]]]
    footnotes: list[tuple[str, str]]
    notes: list[str]


class FigureView(Struct):
    """A figure; every text in its drawing is escaped already."""

    anchor: str
    heading: str
    caption: str
    svg: Markup


class TablesPage(Page):
    """All tables and figures of an experiment. ``index``: address of the experiment's first page, if it has one."""

    template = "tables.html.j2"
    scripts = ("scrolls.js",)
    styles = ("tables.css",)

    tables: list[TableView]
    figures: list[FigureView]
    suite: str
    experiment: str
    rounding: str
    index: str | None


def render(
    tables: Sequence[Table], figures: Sequence[Figure], *, suite: str, experiment: str, index: str | None
) -> str:
    """The page. ``index``: address of the experiment's first page, if it has one."""
    drawn = [FigureView(f.name, f.title, f.caption, Markup(figure_svg(f))) for f in figures if f.points]
    return render_page(TablesPage([_table(t) for t in tables], drawn, suite, experiment, cell_text.ROUNDING, index))


def _table(table: Table) -> TableView:
    marks = footnotes(table)
    rows = []
    for row in table.rows:
        cells = [
            CellView(
                cell_text.value(entry, column),
                cell_text.interval(entry, column),
                cell_text.basis(entry, column, row),
                marks.get(entry.reason, ""),
                cell_text.details(entry),
                column.unit != "text",
                entry.best,
            )
            for entry, column in zip(row.entries, table.columns, strict=True)
        ]
        rows.append((row.labels, cells))
    heading = f"{table.heading} (scripted policies)" if table.scripted else table.heading
    columns = [(column.title, column.unit != "text") for column in table.columns]
    notes = [(mark, reason) for reason, mark in marks.items()]
    return TableView(table.name, heading, table.caption, table.heads, columns, rows, notes, table.notes)
