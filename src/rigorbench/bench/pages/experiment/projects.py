"""Projects on a terminal and on the page of an experiment: points, effort, how runs went, and what they failed by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from rich.console import Console

from ....base.sanitize import one_line
from ....review.pages import words
from ....review.pages.console import Printer, fit
from ...experiment.conditions import counts
from ...experiment.projects import ProjectMeans
from ...experiment.records import FAILURE_MODES, RunResult
from ...projects.scores.formulas import curve
from ..text import experiment as say

HEADS = ("execution", "review", "final", "submitted", "turns", "tokens")
_CURVE = 12
_WIDTH = 11
_EXAMPLES = 20
_COURSES = {"solved": "solved", "plateau": "on a plateau", "improving": "still rising", "none": "no points"}


def print_projects(rows: Sequence[ProjectMeans], console: Console) -> None:
    """Print a row for each condition, and the best of its first k submissions; nothing without rows."""
    if not rows:
        return
    printer = Printer(console)
    conditions = named(rows)
    room = min(max(len(name) for name, _ in conditions) + 2, max(12, console.width - 6 - _WIDTH * len(HEADS)))
    console.print()
    printer.line(printer.text("Projects: points of 100 by the judge and the review (80 to 20)", "bold"))
    head = f"{'condition':<{room}}{'runs':>6}" + "".join(f"{name:>{_WIDTH}}" for name in HEADS)
    printer.line(printer.text(head, "dim"))
    for name, row in conditions:
        label = printer.text(name)
        if label.cell_len >= room:
            printer.lines(label, "  ")
            label = printer.text("")
        values = f"{row.runs:>6}" + "".join(f"{value:>{_WIDTH}}" for value in figures(row))
        printer.line(fit(label, room, printer.glyphs.fine) + printer.text(values))
        if len(row.execution_at) > 1:
            printer.lines(
                printer.text(f"  best of the first 1, 2, ... submissions: {best_of_first(row)}", "dim"), "    "
            )


def runs_of(row: ProjectMeans, results: Sequence[RunResult]) -> list[RunResult]:
    """The runs of a condition that count."""
    return [r for r in results if r.project is not None and counts(r) and r.cell.key == row.key]


def first_pass(runs: Sequence[RunResult]) -> str:
    """The mean turn of the first submission with all points, and of how many runs."""
    found = [p.first_pass.turn for r in runs if (p := r.project) and p.first_pass and p.first_pass.turn is not None]
    return f"{fmean(found):.1f} ({words.plural(len(found), 'run')})" if found else say.NO_VALUE


def course(runs: Sequence[RunResult]) -> str:
    """How many runs solved it, are on a plateau, and so on."""
    kinds: Counter[str] = Counter(curve([s.points for s in r.project.counted]).progress for r in runs if r.project)
    return ", ".join(f"{kinds[kind]} {title}" for kind, title in _COURSES.items() if kinds[kind])


def misled(runs: Sequence[RunResult]) -> str:
    """On how many submissions the agent's own tests had passed and the judge's did not, of how many judged ones."""
    green = [s for r in runs if r.project for s in r.project.submissions if s.local == "passed" and s.verdict]
    return f"{sum(s.misled for s in green)} of {len(green)}" if green else say.NO_VALUE


def failures(
    rows: Sequence[ProjectMeans], results: Sequence[RunResult], pages: Mapping[str, str]
) -> Iterator[tuple[str, list[int], list[tuple[str, str | None, str]]]]:
    """(failure mode, how many runs of each condition show it, examples: run, its page, evidence) of each that was seen.

    ``pages``: cell id -> page of the run.
    """
    runs = [runs_of(row, results) for row in rows]
    for kind, title in FAILURE_MODES.items():
        found = [[(r, f) for r in own if r.project for f in r.project.failures if f.kind == kind] for own in runs]
        examples = [(run.cell.id, pages.get(run.cell.id), failure.evidence) for each in found for run, failure in each]
        if examples:
            yield title, [len({run.cell.id for run, _ in each}) for each in found], examples[:_EXAMPLES]


def figures(row: ProjectMeans) -> list[str]:
    return [
        *(_points(value) for value in (row.execution, row.review, row.final)),
        f"{row.submissions:.1f}",
        say.NO_VALUE if row.turns is None else f"{row.turns:.1f}",
        say.NO_VALUE if row.tokens is None else words.tokens(round(row.tokens)),
    ]


def best_of_first(row: ProjectMeans) -> str:
    return ", ".join(_points(value) for value in row.execution_at[:_CURVE])


def named(rows: Sequence[ProjectMeans]) -> list[tuple[str, ProjectMeans]]:
    """Each condition by the parts in which they differ."""
    labels = say.Labels(rows)
    return [(one_line(labels.of(row.key), 60), row) for row in rows]


def _points(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.1f}"
