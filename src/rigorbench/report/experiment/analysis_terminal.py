"""The analysis of an experiment on a terminal."""

from __future__ import annotations

from collections import Counter

from rich.cells import cell_len

from ...base.sanitize import one_line
from ...experiment.analysis import Analysis
from ...experiment.compare import Comparison
from ..console import Printer
from ..text import experiment as say
from .analysis import AnalysisView, Cell, Part, Table, analysis_views

# Rows of a table that are printed; a page has all.
_ROWS = 6
_COLUMN = 23


def print_analysis(printer: Printer, comparison: Comparison, analysis: Analysis) -> None:
    """Prints the analysis of each group that has runs."""
    views = analysis_views(analysis, comparison)
    for group in comparison.groups:
        if not any(c.counted for c in group.conditions):
            continue
        view = views[group.scripted]
        printer.console.print()
        printer.line(printer.text(f"Analysis: {say.heading(group).lower()}", "bold"))
        if view.relations:
            _relations(printer, view)
        for part in view.parts:
            _part(printer, part)
        _dim(printer, view.basis)


def _relations(printer: Printer, view: AnalysisView) -> None:
    """A row for each pair of measures; what most of them rest on is said once."""
    room = max(len(r.label) for r in view.relations) + 1
    head = f"{'Correlations (r)':<{room}}{'over all runs':<{_COLUMN}}within tasks"
    printer.line(printer.text(head[: printer.console.width], "dim"))
    usual = Counter(r.n for r in view.relations).most_common(1)[0][0]
    for r in view.relations:
        printer.line(printer.text(f"{r.label:<{room}}{r.pooled:<{_COLUMN}}{r.within}"))
        notes = [r.n] if r.n != usual else []
        notes += [f"{r.badge}: {r.reading}"] if r.badge else [r.reading] if say.NO_VALUE in (r.pooled, r.within) else []
        for note in notes:
            _dim(printer, note, "  ")
    _dim(printer, f"n = {usual}. {view.relations_lead}", "  ")


def _part(printer: Printer, part: Part) -> None:
    printer.line(printer.text(part.title))
    _dim(printer, part.lead, "  ")
    if part.table is not None:
        _table(printer, part.table)
    for remark in part.remarks:
        printer.lines(printer.text(remark), "    ", printer.text("  "))


def _table(printer: Printer, table: Table) -> None:
    """The first rows, in columns where these fit, else each row as a sentence."""
    heads = [head for head, _ in table.heads]
    rows = [(one_line(name, 120), cells) for name, cells in table.rows[:_ROWS]]
    room = max([cell_len(name) for name, _ in rows] + [len(table.corner)])
    widths = [max([len(head), *(cell_len(cells[n].text) for _, cells in rows)]) for n, head in enumerate(heads)]
    columns = 2 + room + sum(widths) + 2 * len(widths) <= printer.console.width
    if columns:
        head = "".join(f"  {head:>{width}}" for head, width in zip(heads, widths, strict=True))
        printer.line(printer.text(f"  {table.corner:<{room}}{head}".rstrip(), "dim"))
    for name, cells in rows:
        if columns:
            texts = "".join(f"  {cell.text:>{width}}" for cell, width in zip(cells, widths, strict=True))
            printer.line(printer.text(f"  {name}{' ' * (room - cell_len(name))}{texts}"))
        else:
            printer.lines(printer.text(f"{name}: {_sentence(heads, cells)}"), "    ", printer.text("  "))
    if len(table.rows) > _ROWS:
        _dim(printer, f"and {len(table.rows) - _ROWS} more rows in the HTML report", "  ")


def _sentence(heads: list[str], cells: list[Cell]) -> str:
    """The cells of a row; what a cell rests on is said where it differs from the cell before."""
    parts, last = [], ""
    for head, cell in zip(heads, cells, strict=True):
        basis = f" ({cell.basis})" if cell.basis and cell.basis != last else ""
        parts.append(f"{head} {cell.text}{basis}".strip())
        last = cell.basis
    return "; ".join(parts)


def _dim(printer: Printer, text: str, indent: str = "") -> None:
    printer.lines(printer.text(one_line(text), "dim"), indent, printer.text(indent))
