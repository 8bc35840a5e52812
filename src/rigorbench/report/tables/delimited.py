"""Tables as CSV: one line for each cell, at full precision."""

from __future__ import annotations

import csv
import io

from ...base.sanitize import one_line
from .model import Table

FIELDS = ("measure", "value", "low", "high", "unit", "runs", "tasks", "evidence_share", "methods", "reason")


def render(table: Table) -> str:
    """``value`` is empty where there is none, and ``reason`` says why. Texts are on one line each (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*table.heads, *FIELDS])
    for row in table.rows:
        for entry, column in zip(row.entries, table.columns, strict=True):
            writer.writerow(
                [
                    *map(text, row.labels),
                    text(column.name),
                    text(entry.value) if isinstance(entry.value, str) else _number(entry.value),
                    _number(entry.low),
                    _number(entry.high),
                    column.unit,
                    _number(entry.runs),
                    _number(entry.tasks),
                    _number(entry.evidence_share),
                    "; ".join(f"{name} {_number(share)}" for name, share in entry.methods.items()),
                    text(entry.reason),
                ]
            )
    return out.getvalue()


def _number(found: float | None) -> str:
    return "" if found is None else repr(found)


def text(found: str) -> str:
    """On one line, and no formula to a program that opens it as a sheet."""
    line = one_line(found)
    return f"'{line}" if line[:1] in ("=", "+", "-", "@") else line
