"""One reviewed session on a terminal, and a table of many."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...base.sanitize import ELLIPSIS, one_line
from ...review.model import GRADES
from ...review.score import ReviewedSession
from ...trajectory.cost import stated_cost
from ..console import Printer, fit, tone
from ..text import words
from ..text.numbers import number
from .paper_text import print_paper
from .review_text import print_review
from .summary import SessionRow
from .title import session_title, shortened

# The log is a column of the table of sessions when this many cells are left for it.
_LOG_COLUMN = 24


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
    cost = stated_cost(report.trajectory)
    facts = (
        words.agent(header),
        header.model and words.model(header.model),
        project and f"in {project}",
        words.date(header.started_at),
        words.span(header),
        words.calls(header.steps, header.model),
        words.token_line(header.tokens),
        number(cost, "dollars") if cost is not None else None,
    )
    shown = [printer.text(one_line(fact, 80)) for fact in facts if fact]
    if title is None:
        shown[0].stylize("bold")
    printer.wrapped(shown, 0)
    printer.line(printer.text(one_line(f"{header.format} log {header.source}", 400), "dim"))


def _skipped(printer: Printer, report: ReviewedSession) -> None:
    undecided = words.undecided(report.trajectory.unread_calls)
    if undecided:
        printer.console.print()
        printer.lines(printer.text(undecided, "yellow"), "")
    listed = report.trajectory.skipped
    number = max(report.score.trajectory.skipped_lines, len(listed))
    if not number:
        return
    text = f"{words.plural(number, 'part')} of the log could not be read"
    if listed:
        first = listed[0]
        place = first.file if first.line is None else f"{first.file}:{first.line}"
        text += f"; the first: {one_line(place, 120)} {one_line(first.reason, 160)}"
    printer.console.print()
    printer.line(printer.text(text, "yellow"))


def print_sessions(rows: Sequence[SessionRow], console: Console) -> None:
    """Prints a table of sessions in the given order.

    On a narrow terminal the path of the log is on a second line; on a very narrow one the project is left out.
    """
    printer = Printer(console)
    fine = printer.glyphs.fine
    letters = 20 if printer.wide else 4 if console.width >= 78 else 3
    heads = ["overall" if printer.wide else "grade", *(name[:letters] for name in GRADES), "flags"]
    fixed = len("2025-11-03") + sum(len(head) + 2 for head in heads)
    project = 0 if console.width < 78 else 13 if console.width < 140 else 24
    log = max(0, console.width - fixed - 22 - project - 6)
    log = log if log >= _LOG_COLUMN else 0
    agent = max(8, min(28, console.width - fixed - 2 - (project + 2 if project else 0) - (log + 2 if log else 0)))
    header = [f"{'agent':<{agent}}"] + ([f"{'project':<{project}}"] if project else []) + [f"{'date':<10}"]
    printer.line(printer.text("  ".join([*header, *heads, *(["log"] if log else [])]), "dim"))
    for row in rows:
        cells = [fit(printer.text(one_line(row.agent, 60)), agent, fine)]
        if project:
            cells.append(fit(printer.text(one_line(row.project or "", 60)), project, fine))
        cells.append(fit(printer.text((words.date(row.date) or "")[:10], "dim"), 10, fine))
        cells.append(_grade(printer, row.overall, "?", len(heads[0]), "bold"))
        for name, head in zip(GRADES, heads[1:], strict=False):
            value = row.grades.get(name)
            cells.append(_grade(printer, value, words.graded(value, row.statuses.get(name, "")), len(head)))
        cells.append(printer.text(f"{len(row.flags):>5}", "bold red" if row.flags else "dim"))
        source = one_line(row.source, 400)
        if log:
            cells.append(printer.text(_tail(source, log), "dim"))
        printer.line(Text("  ").join(cells))
        if not log:
            printer.line(printer.text("  " + _tail(source, max(12, console.width - 2)), "dim"))


def _grade(printer: Printer, value: int | None, absent: str, cells: int, style: str = "") -> Text:
    if value is None:
        return printer.text(f"{absent:>{cells}}", "dim")
    return printer.text(f"{value:>{cells}}", f"{style} {tone(value / 100)}".strip())


def _tail(path: str, cells: int) -> str:
    """The end of a path, in which sessions differ, in at most ``cells`` cells."""
    if cell_len(path) <= cells:
        return path
    kept = path[-(cells - 1) :]
    while cell_len(kept) > cells - 1:
        kept = kept[1:]
    return ELLIPSIS + kept
