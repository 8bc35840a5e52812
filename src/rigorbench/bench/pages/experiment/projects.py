"""Projects on a terminal and on the page of an experiment: points, effort, how runs went, and what they failed by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from msgspec import Struct
from rich.console import Console

from ....base.sanitize import one_line
from ....review.pages import words
from ....review.pages.console import Printer, fit
from ...experiment.conditions import counts
from ...experiment.model import FAILURE_MODES, RunResult
from ...experiment.projects import ProjectMeans
from ...projects.scores.formulas import curve
from ..text import experiment as say

_HEADS = ("execution", "review", "final", "submitted", "turns", "tokens")
_CURVE = 12
_WIDTH = 11
_EXAMPLES = 20
_COURSES = {"solved": "solved", "plateau": "on a plateau", "improving": "still rising", "none": "nothing judged"}


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
    """A condition on the page of an experiment.

    Attributes:
        curve: the best of the first k submissions, for every k.
        first_pass: mean turn of the first submission with all points, of how many runs.
        course: how many runs solved it, are on a plateau, and so on.
        misled: submissions on which the agent's own tests had passed and the judge's did not, of how many judged ones.
    """

    name: str
    projects: int
    runs: int
    figures: list[str]
    curve: str
    first_pass: str
    course: str
    misled: str


class FailureRow(Struct):
    """A failure mode. ``runs``: how many runs of each condition show it; ``examples``: run, its page, evidence."""

    title: str
    runs: list[str]
    examples: list[tuple[str, str | None, str]]


class ProjectTable(Struct):
    """The table of projects on the page of an experiment."""

    heads: Sequence[str]
    rows: list[ProjectRow]
    failures: list[FailureRow]


def project_table(
    rows: Sequence[ProjectMeans], results: Sequence[RunResult], pages: Mapping[str, str]
) -> ProjectTable | None:
    """The page's tables; None without projects.

    Args:
        results: of the experiment.
        pages: cell id -> page of the run.
    """
    if not rows:
        return None
    runs = [[r for r in results if r.project is not None and _is_of(r, row) and counts(r)] for row in rows]
    made = [
        ProjectRow(
            name, row.projects, row.runs, _figures(row), _curve(row), _first_pass(own), _course(own), _misled(own)
        )
        for name, row, own in zip(_names(rows), rows, runs, strict=True)
    ]
    return ProjectTable(_HEADS, made, list(_failures(runs, pages)))


def _is_of(run: RunResult, row: ProjectMeans) -> bool:
    return (run.cell.agent, run.cell.harness, run.cell.model) == (row.key.agent, row.key.harness, row.key.model)


def _first_pass(runs: Sequence[RunResult]) -> str:
    found = [p.first_pass.turn for r in runs if (p := r.project) and p.first_pass and p.first_pass.turn is not None]
    return f"{fmean(found):.1f} ({words.plural(len(found), 'run')})" if found else say.NO_VALUE


def _course(runs: Sequence[RunResult]) -> str:
    kinds: Counter[str] = Counter(
        curve([s.points for s in r.project.submissions if s.counted]).progress for r in runs if r.project
    )
    return ", ".join(f"{kinds[kind]} {title}" for kind, title in _COURSES.items() if kinds[kind])


def _misled(runs: Sequence[RunResult]) -> str:
    green = [s for r in runs if r.project for s in r.project.submissions if s.local == "passed" and s.verdict]
    return f"{sum(s.misled for s in green)} of {len(green)}" if green else say.NO_VALUE


def _failures(runs: Sequence[Sequence[RunResult]], pages: Mapping[str, str]) -> Iterator[FailureRow]:
    for kind, title in FAILURE_MODES.items():
        found = [[(r, f) for r in own if r.project for f in r.project.failures if f.kind == kind] for own in runs]
        if any(found):
            examples = [
                (run.cell.id, pages.get(run.cell.id), failure.evidence) for each in found for run, failure in each
            ]
            yield FailureRow(
                title, [str(len({run.cell.id for run, _ in each})) for each in found], examples[:_EXAMPLES]
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
