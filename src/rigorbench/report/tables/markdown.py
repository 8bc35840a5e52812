"""Tables as Markdown (GitHub's)."""

from __future__ import annotations

import re

from ...base.sanitize import one_line
from . import cell_text
from .model import Column, Entry, Row, Table, footnotes

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def text(plain: str) -> str:
    """Text that Markdown shows as it is, on one line; what is invisible becomes a visible escape."""
    return _SPECIAL.sub(r"\\\1", one_line(plain))


def render(table: Table) -> str:
    marks = footnotes(table)
    heads = [*table.heads, *(column.title for column in table.columns)]
    lines = [f"## {text(table.heading)}", "", text(table.caption), "", _line([text(head) for head in heads])]
    lines.append(_line([*["---"] * len(table.heads), *(_align(column) for column in table.columns)]))
    for row in table.rows:
        cells = [_cell(e, c, row, marks) for e, c in zip(row.entries, table.columns, strict=True)]
        lines.append(_line([*map(text, row.labels), *cells]))
    if not table.rows:
        lines += ["", "There are no runs."]
    for mark, reason in ((mark, reason) for reason, mark in marks.items()):
        lines += ["", f"\\[{mark}\\] {text(reason)}."]
    for note in (*table.notes, cell_text.ROUNDING):
        lines += ["", text(note)]
    return "\n".join(lines) + "\n"


def _cell(entry: Entry, column: Column, row: Row, marks: dict[str, str]) -> str:
    shown = text(cell_text.value(entry, column))
    parts = [f"**{shown}**" if entry.best else shown, text(cell_text.interval(entry, column))]
    basis = cell_text.basis(entry, column, row)
    if basis:
        parts.append(f"({basis})")
    if entry.reason:
        parts.append(f"\\[{marks[entry.reason]}\\]")
    return " ".join(filter(None, parts))


def _align(column: Column) -> str:
    return "---" if column.unit == "text" else "---:"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
