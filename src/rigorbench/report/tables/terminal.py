"""Tables on a terminal: values above their intervals, as many columns side by side as there is room for."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console

from ...base.sanitize import one_line
from ..console import Printer
from . import cell_text
from .model import Column, Entry, Row, Table, footnotes

_LABEL = 38
_TEXT = 44
_GAP = 2


def print_table(table: Table, console: Console) -> None:
    """Prints a table; everything named by the experiment is made safe to print."""
    printer = Printer(console)
    printer.lines(printer.text(one_line(table.heading), "bold"), "")
    printer.lines(printer.text(one_line(table.caption), "dim"), "")
    if not table.rows:
        printer.line(printer.text("There are no runs."))
    marks = footnotes(table)
    labels = [one_line(", ".join(row.labels), 200) for row in table.rows]
    head = one_line(", ".join(table.heads))
    columns = _columns(table, marks, max(16, min(_TEXT, console.width - _LABEL - _GAP)))
    left = console.width - max((width for *_, width in columns), default=0)
    room = min(_LABEL, max(12, left), max([*map(cell_len, labels), len(head)], default=0))
    while columns and table.rows:
        taken, columns = _fitting(columns, console.width - room)
        printer.line(printer.text((_pad(head[:room], room) + _heads(taken)).rstrip(), "dim"))
        for number, label in enumerate(labels):
            front = label if cell_len(label) <= room else ""
            if not front:
                printer.lines(printer.text(label), "  ")
            cells = [cells[number] for _, cells, _ in taken]
            line = printer.text(_pad(front, room))
            for (_, _, width), (shown, _, _, best) in zip(taken, cells, strict=True):
                line.append(" " * (width - cell_len(shown)) + shown, "bold" if best else "")
            line.rstrip()
            printer.line(line)
            for parts in ([cell[1] for cell in cells], [cell[2] for cell in cells]):
                below = _aligned(taken, parts)
                if below.strip():
                    printer.line(printer.text((" " * room + below).rstrip(), "dim"))
    for reason, mark in marks.items():
        printer.lines(printer.text(f"{one_line(reason)}.", "dim"), "    ", printer.text(f"[{mark}] ", "dim"))
    for note in table.notes:
        printer.lines(printer.text(one_line(note), "dim"), "")


# Head, the lines of each row (value, interval, basis) and whether it is the best, width.
_Shown = tuple[str, list[tuple[str, str, str, bool]], int]


def _columns(table: Table, marks: dict[str, str], limit: int) -> list[_Shown]:
    found: list[_Shown] = []
    for n, column in enumerate(table.columns):
        cells = [_cell(row.entries[n], column, row, marks, limit) for row in table.rows]
        width = max([len(column.title), *(max(map(cell_len, lines[:3])) for lines in cells)])
        found.append((column.title, cells, width + _GAP))
    return found


def _cell(entry: Entry, column: Column, row: Row, marks: dict[str, str], limit: int) -> tuple[str, str, str, bool]:
    mark = f"[{marks[entry.reason]}]" if entry.reason else ""
    first = one_line(cell_text.value(entry, column), limit) + (f" {mark}" if mark else "")
    return first.strip(), cell_text.interval(entry, column), cell_text.basis(entry, column, row), entry.best


def _fitting(columns: list[_Shown], room: int) -> tuple[list[_Shown], list[_Shown]]:
    """As many columns as fit, at least one, and the others."""
    number, used = 0, 0
    while number < len(columns) and (number == 0 or used + columns[number][2] <= room):
        used += columns[number][2]
        number += 1
    return columns[:number], columns[number:]


def _heads(columns: list[_Shown]) -> str:
    return "".join(" " * (width - cell_len(head)) + head for head, _, width in columns)


def _aligned(columns: list[_Shown], cells: list[str]) -> str:
    return "".join(" " * (width - cell_len(text)) + text for (_, _, width), text in zip(columns, cells, strict=True))


def _pad(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
