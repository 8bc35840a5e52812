"""The table of projects, on a terminal and on a page: points of the judge and the review, turns and tokens."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.console import Console

from ...base.sanitize import one_line
from ...experiment.projects import ProjectMeans
from ..console import Printer, fit
from ..text import experiment as say
from ..text import words

_HEADS = ("execution", "review", "final", "submitted", "turns", "tokens")
_CURVE = 12
_WIDTH = 11


def print_projects(rows: Sequence[ProjectMeans], console: Console) -> None:
    """Print a row for each condition, and the best of its first k submissions; nothing without rows."""
    if not rows:
        return
    printer = Printer(console)
    names = _names(rows)
    room = min(max(map(len, names)) + 2, max(12, console.width - 6 - _WIDTH * len(_HEADS)))
    console.print()
    printer.line(printer.text("Projects: points of 100 by the judge and the review (80 to 20)", "bold"))
    head = f"{'condition':<{room}}{'runs':>6}" + "".join(f"{name:>{_WIDTH}}" for name in _HEADS)
    printer.line(printer.text(head, "dim"))
    for name, row in zip(names, rows, strict=True):
        values = _figures(row)
        label = printer.text(name)
        if label.cell_len >= room:
            printer.lines(label, "  ")
            label = printer.text("")
        figures = f"{row.runs:>6}" + "".join(f"{value:>{_WIDTH}}" for value in values)
        printer.line(fit(label, room, printer.glyphs.fine) + printer.text(figures))
        if len(row.execution_at) > 1:
            printer.lines(printer.text(f"  best of the first 1, 2, ... submissions: {_curve(row)}", "dim"), "    ")


class ProjectRow(Struct):
    """A condition on the page of an experiment. ``curve``: the best of the first k submissions, for every k."""

    name: str
    projects: int
    runs: int
    figures: list[str]
    curve: str


class ProjectTable(Struct):
    """The table of projects on the page of an experiment."""

    heads: Sequence[str]
    rows: list[ProjectRow]


def project_table(rows: Sequence[ProjectMeans]) -> ProjectTable | None:
    """The page's table; None without projects."""
    if not rows:
        return None
    names = zip(_names(rows), rows, strict=True)
    return ProjectTable(
        _HEADS, [ProjectRow(name, row.projects, row.runs, _figures(row), _curve(row)) for name, row in names]
    )


def _figures(row: ProjectMeans) -> list[str]:
    """In the order of the heads."""
    return [
        *(_points(value) for value in (row.execution, row.review, row.final)),
        f"{row.submissions:.1f}",
        say.NO_VALUE if row.turns is None else f"{row.turns:.1f}",
        say.NO_VALUE if row.tokens is None else words.tokens(round(row.tokens)),
    ]


def _curve(row: ProjectMeans) -> str:
    return ", ".join(_points(value) for value in row.execution_at[:_CURVE])


def _names(rows: Sequence[ProjectMeans]) -> list[str]:
    """Of each condition the parts in which they differ."""
    keys = [(row.key.agent, row.key.harness, row.key.model) for row in rows]
    parts = [n for n in range(3) if len({key[n] for key in keys}) > 1] or [2]
    return [one_line(", ".join(key[n] for n in parts), 60) for key in keys]


def _points(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.1f}"
