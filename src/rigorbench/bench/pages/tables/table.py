"""Tables whose every cell says what it rests on, or why it is empty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from ....review.pages.numbers import Unit

# The formats of a report, in the order in which they are written: files of each table, and pages.
FORMATS = ("md", "csv", "tex", "html")


class TableCell(Struct, frozen=True, omit_defaults=True):
    """One cell. ``value`` None: it is empty, and ``reason`` says why; 0 is a 0 that was measured.

    ``low``, ``high``: the 95 % interval. ``runs``, ``tasks``: that it rests on, of a difference those of both sides.
    ``evidence_share``: scored / applicable weight over the runs to which the measure applies. ``methods``: method ->
    share of the scored weight. ``reason`` of a cell with a value: what limits it. ``best``: of its column (of its block
    of rows); shown in bold.
    """

    value: float | str | None
    low: float | None = None
    high: float | None = None
    runs: int | None = None
    tasks: int | None = None
    evidence_share: float | None = None
    methods: dict[str, float] = field(default_factory=dict)
    reason: str = ""
    best: bool = False


def cell(value: float | str | None, reason: str, **basis: Any) -> TableCell:
    """The cell of a value, or, where it is None, an empty one with the reason. ``basis``: other members of both."""
    return TableCell(value, reason="" if value is not None else reason, **basis)


class Column(Struct, frozen=True):
    """``name``: its name in data files; ``title``: its head; ``evidence``: whether the evidence share is shown;
    ``best``: which value is the best ("most", "least"); "": none is."""

    name: str
    title: str
    unit: Unit = "share"
    evidence: bool = False
    best: Literal["", "most", "least"] = ""


class TableRow(Struct, frozen=True):
    """``labels``: one for each of the table's ``heads``. ``runs``: how many runs its cells rest on, if all rest on the
    same."""

    labels: list[str]
    entries: list[TableCell]
    runs: int | None = None


class Table(Struct, frozen=True):
    """A table with its text. ``name``: stem of its files. ``number``: of the paper's table ("III"); empty for a further
    one. ``heads``: of the columns of labels. ``scripted``: whether it is about scripted policies; None: about no
    runs."""

    name: str
    number: str
    title: str
    caption: str
    heads: list[str]
    columns: list[Column]
    rows: list[TableRow]
    notes: list[str] = field(default_factory=list)
    scripted: bool | None = None

    @property
    def heading(self) -> str:
        """ "Table III. RigorScore and outcome"."""
        return f"Table {self.number}. {self.title}" if self.number else self.title


def footnotes(table: Table) -> dict[str, str]:
    """Reason -> its mark ("a", "b", ..., "aa"), in the order of the cells."""
    reasons = dict.fromkeys(entry.reason for row in table.rows for entry in row.entries if entry.reason)
    return {reason: letters(number) for number, reason in enumerate(reasons)}


def with_best(rows: Sequence[TableRow], columns: Sequence[Column], labels: int = 0) -> list[TableRow]:
    """The rows with the best value of each column marked, within blocks of rows that share their first ``labels``.

    Nothing is marked where fewer than two rows have a value, or where all have the same one.
    """
    blocks: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        blocks[tuple(row.labels[:labels])].append(number)
    entries = [list(row.entries) for row in rows]
    for block in blocks.values():
        for place, column in enumerate(columns):
            known = {n: v for n in block if isinstance(v := entries[n][place].value, int | float)}
            if column.best and len(known) > 1 and len(set(known.values())) > 1:
                best = (max if column.best == "most" else min)(known.values())
                for n, number_found in known.items():
                    if number_found == best:
                        entries[n][place] = replace(entries[n][place], best=True)
    return [replace(row, entries=found) for row, found in zip(rows, entries, strict=True)]


def letters(number: int) -> str:
    """0 -> "a", 25 -> "z", 26 -> "aa"."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
