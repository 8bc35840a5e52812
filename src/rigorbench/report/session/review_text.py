"""The review of a session on a terminal: the overall grade, five grades, and the checks that fired."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ...base.sanitize import one_line
from ...review.model import Fired, Review
from ..console import Printer, tone

STRENGTHS = "strength"
_STYLES = {"flag": "bold red", "weak": "yellow", "note": "dim"}
_TITLE = 13
# Of several occurrences of one check, so many are printed; the rest is counted.
MOST_ALIKE = 2


def print_review(printer: Printer, review: Review) -> None:
    """Prints the grades, then flags, weaknesses and notes with advice, then strengths in one line."""
    bar = 22 if printer.wide else 10
    _grade(printer, "overall", review.overall, review.reason, bar, "bold")
    for name, grade in review.grades.items():
        if grade.status != "not_applicable":
            _grade(printer, name, grade.value, grade.reason, bar)
    absent = [f"{name}: {grade.reason}" for name, grade in review.grades.items() if grade.status == "not_applicable"]
    if absent:
        printer.lines(printer.text(f"not graded: {'; '.join(absent)}", "dim"), "")
    problems = [c for c in review.checks if c.severity != STRENGTHS]
    if problems:
        printer.console.print()
    _problems(printer, problems)
    strengths = sorted({c.id for c in review.checks if c.severity == STRENGTHS})
    if strengths:
        printer.console.print()
        printer.lines(printer.text(", ".join(strengths)), " " * 11, printer.text("strengths  ", "green"))


def print_exclusions(console: Console, review: Review) -> None:
    """Prints for each finding the line of ``rigor.toml`` that excludes it."""
    lines = [f'exclude."{c.fingerprint}" = "why it is wrong"' for c in review.checks if c.severity != STRENGTHS]
    if lines:
        console.print("\nLines for rigor.toml (before its first table), each excludes a finding that is wrong:")
    for line in dict.fromkeys(lines):
        console.print(f"exclude: {line}", markup=False, soft_wrap=True)


def _grade(printer: Printer, name: str, value: int | None, reason: str, bar: int, style: str = "") -> None:
    share = None if value is None else value / 100
    front = printer.text(f"{name:<{_TITLE}}", style)
    front.append_text(printer.bar(share, bar))
    front.append_text(
        printer.text(f" {'?' if value is None else value:>3}  ", style or ("" if share is None else tone(share)))
    )
    printer.lines(printer.text(one_line(reason, 300), "dim"), " " * front.cell_len, front)


def _problems(printer: Printer, problems: Sequence[Fired]) -> None:
    seen: dict[str, int] = {}
    for check in problems:
        seen[check.id] = seen.get(check.id, 0) + 1
        if seen[check.id] > MOST_ALIKE:
            continue
        front = printer.text(f"{check.severity:<5} ", _STYLES[check.severity])
        where = [f"step {check.step}"] if check.step is not None else []
        where += [f"line {check.source.line}"] if check.source is not None and check.source.line is not None else []
        text = printer.text(f"{one_line(check.id, 40)}  ", "bold") + printer.text(one_line(check.message, 300))
        if where:
            text.append_text(printer.text(f" ({', '.join(where)})", "dim"))
        printer.lines(text, " " * 6, front)
        last = seen[check.id] == min(MOST_ALIKE, sum(c.id == check.id for c in problems))
        if last and check.advice:
            more = sum(c.id == check.id for c in problems) - seen[check.id]
            if more:
                printer.lines(printer.text(f"and {more} more", "dim"), " " * 6)
            printer.lines(printer.text(f"→ {check.advice}", "italic"), " " * 6)
