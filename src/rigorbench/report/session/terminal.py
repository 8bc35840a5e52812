"""One reviewed session on a terminal."""

from __future__ import annotations

from rich.console import Console

from ...base.sanitize import one_line
from ...review.score import ReviewedSession
from ...trajectory.cost import session_cost
from ..console import Printer
from ..text import words
from ..text.costs import cost_line
from .paper_text import print_paper
from .review_text import print_review
from .title import session_title, shortened


def print_session(report: ReviewedSession, console: Console, *, paper: bool = False) -> None:
    """Prints a reviewed session: what was asked, the verdict, flags, grades, what to change; what was not read.

    Args:
        paper: print the paper's sub-metrics of any session.
    """
    printer = Printer(console)
    _header(printer, report)
    console.print()
    print_review(printer, report)
    if paper or report.benchmarked:
        console.print()
        print_paper(printer, report)
    _skipped(printer, report)


def _header(printer: Printer, report: ReviewedSession) -> None:
    header = report.score.trajectory
    title = session_title(report.trajectory)
    if title is not None:
        printer.line(printer.text(shortened(title, 2 * printer.console.width - 20), "bold"))
    project = words.project(report.trajectory.cwd)
    facts = (
        words.agent(header),
        header.model and words.model(header.model),
        project and f"in {project}",
        words.date(header.started_at),
        words.span(header),
        words.calls(header.steps, header.model),
        words.token_line(header.tokens, complete=report.trajectory.usage_complete),
        cost_line(session_cost(report.trajectory)),
    )
    shown = [printer.text(one_line(fact, 80)) for fact in facts if fact]
    if title is None:
        shown[0].stylize("bold")
    printer.wrapped(shown, 0)
    printer.line(printer.text(one_line(f"{header.format} log {header.source}", 400), "dim"))


def _skipped(printer: Printer, report: ReviewedSession) -> None:
    undecided = words.undecided(report.trajectory)
    if undecided:
        printer.console.print()
        printer.lines(printer.text(undecided, "yellow"), "")
    listed = report.trajectory.skipped
    number = max(report.score.trajectory.skipped_lines, len(listed))
    if not number:
        return
    text = f"{words.plural(number, 'part')} of the log left out"
    if listed:
        first = listed[0]
        place = first.file if first.line is None else f"{first.file}:{first.line}"
        text += f"; the first: {one_line(place, 120)} {one_line(first.reason, 160)}"
    printer.console.print()
    printer.line(printer.text(text, "yellow"))
