"""What the report consists of: tables whose every cell says what it rests on, or why it is empty."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

# What a number is, and so how it is shown. "text" and "count" are shown as they are.
Unit = Literal[
    "text", "count", "share", "percent", "difference", "number", "p", "tokens", "token_difference", "seconds",
    "dollars", "kappa",
]  # fmt: skip


class Entry(Struct, frozen=True, omit_defaults=True):
    """One cell. ``value`` None: it is empty, and ``reason`` says why; 0 is a 0 that was measured.

    ``low``, ``high``: interval of the value. ``runs``, ``tasks``: what it rests on (of a difference: of both sides).
    ``evidence_share``: scored weight / applicable weight, over the runs to which the measure applies; None: not known,
    or nothing that has one. ``methods``: method ->
    share of the scored weight. ``reason`` of a cell with a value: what limits it.
    """

    value: float | str | None
    low: float | None = None
    high: float | None = None
    runs: int | None = None
    tasks: int | None = None
    evidence_share: float | None = None
    methods: dict[str, float] = field(default_factory=dict)
    reason: str = ""


class Column(Struct, frozen=True):
    """``name``: as data files call it; ``title``: as people read it; ``evidence``: whether the share is shown."""

    name: str
    title: str
    unit: Unit = "share"
    evidence: bool = False


class Row(Struct, frozen=True):
    """``labels``: one for each of the table's ``heads``. ``runs``: what its cells rest on, where that is the same."""

    labels: list[str]
    entries: list[Entry]
    runs: int | None = None


class Table(Struct, frozen=True):
    """``name``: of its files ("table-3"); ``number``: of the paper's table ("III"), "" of a further one.

    ``scripted``: whether it is about scripted policies (None: about no runs). ``notes``: what holds for all of it.
    """

    name: str
    number: str
    title: str
    caption: str
    heads: list[str]
    columns: list[Column]
    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    scripted: bool | None = None

    @property
    def heading(self) -> str:
        return f"Table {self.number}. {self.title}" if self.number else self.title


def footnotes(table: Table) -> dict[str, str]:
    """Reason -> its mark ("a", "b", ..., "aa"), in the order in which a reader meets them."""
    found: dict[str, str] = {}
    for row in table.rows:
        for entry in row.entries:
            if entry.reason and entry.reason not in found:
                found[entry.reason] = letters(len(found))
    return found


def letters(number: int) -> str:
    """0 -> "a", 25 -> "z", 26 -> "aa"."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
