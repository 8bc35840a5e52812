"""A report as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of texts under named columns. Columns in ``right`` are set to the right."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    right: tuple[str, ...] = ()

    def plain(self) -> str:
        """For people: columns as wide as their widest text."""
        widths = [max(len(text) for text in texts) for texts in zip(self.columns, *self.rows, strict=True)]
        return "\n".join(self._line(row, widths) for row in (self.columns, *self.rows))

    def csv(self) -> str:
        """For spreadsheets."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([self.columns, *self.rows])
        return file.getvalue().rstrip("\n")

    def _line(self, row: Sequence[str], widths: list[int]) -> str:
        cells = []
        for column, text, width in zip(self.columns, row, widths, strict=True):
            cells.append(text.rjust(width) if column in self.right else text.ljust(width))
        return "  ".join(cells).rstrip()
