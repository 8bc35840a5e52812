"""What a table of the report declares: a module of this package declares one, and :mod:`.registry` lists them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ...experiment.compare import Comparison
from .gather import Gathered
from .groups import GroupData
from .model import Column, Row, Table, with_best


class ReportData(Struct):
    """What tables are built from. ``groups``: models and scripted policies, as far as there are any."""

    gathered: Gathered
    comparison: Comparison
    groups: list[GroupData]


class TableSpec(Struct, frozen=True, kw_only=True):
    """A table of the report.

    Attributes:
        stem: of its files, and its name in JSON ("table-3").
        number: of the paper's table ("III"); empty for a further one.
        title: its heading.
        about: what it contains, as docs/report.md says it.
        build: makes it: one table, or one for each group.
    """

    stem: str
    number: str = ""
    title: str
    about: str
    build: Callable[[ReportData], list[Table]]

    def table(
        self,
        caption: str,
        columns: list[Column],
        rows: list[Row],
        *,
        heads: list[str] | None = None,
        block: int = 0,
        notes: Sequence[str] = (),
        group: GroupData | None = None,
        title: str | None = None,
    ) -> Table:
        """The table itself, named by this declaration.

        Args:
            heads: of the columns of labels; default: what tells the conditions of the group apart.
            block: rows that share so many first labels are compared for the best value of a column.
            group: what it is about; its scope begins the caption.
            title: another heading than the usual one.
        """
        return Table(
            self.stem + (group.suffix if group is not None else ""),
            self.number,
            title or self.title,
            f"{group.scope} {caption}" if group is not None else caption,
            heads or ([group.labels.column] if group is not None else []),
            columns,
            with_best(rows, columns, block),
            list(notes),
            group.group.scripted if group is not None else None,
        )


def per_group(table: Callable[[GroupData], Table]) -> Callable[[ReportData], list[Table]]:
    """Builds a table for models and one for scripted policies, as far as there are any."""
    return lambda data: [table(group) for group in data.groups]
