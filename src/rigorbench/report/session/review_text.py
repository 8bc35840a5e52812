"""The review of a session on a terminal: verdict, flags with their proof, grades, what to change, what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ...review.causes import Finding, findings
from ...review.model import Fired, Grade, Review
from ...review.score import ReviewedSession
from ...review.verdict import did, level, unknown, verdict
from ..console import Printer, grade_tone
from ..text.words import plural
from .proof import Proof, Proofs, place

# So many things to change: more are not kept in mind.
CHANGES = 3
# Of several occurrences of one check, so many are printed; the rest is counted.
MOST_ALIKE = 2
_PROOFS = 3
_TITLE = 13
_TONES = {"bad": "bold red", "weak": "bold yellow", "fair": "bold", "good": "bold green", "unknown": "bold"}
_PROOF_TONES = {"fail": "red", "error": "red", "pass": "green", "talk": "yellow"}


def print_review(printer: Printer, report: ReviewedSession) -> None:
    """Prints the verdict, the flags, the grades, what to change next time, and what is not shown."""
    review = report.review
    found = verdict(review)
    printer.line(printer.text(found.sentence, _TONES[found.tone]))
    causes = findings(review, report.events)
    _flags(printer, report, [c for c in causes if c.first.severity == "flag"])
    printer.console.print()
    _grades(printer, review)
    if causes:
        printer.console.print()
        printer.line(printer.text("To change next time", "bold"))
        for number, cause in enumerate(causes[:CHANGES], 1):
            _change(printer, number, cause)
    _left_out(printer, review, causes)


def _flags(printer: Printer, report: ReviewedSession, flags: Sequence[Finding]) -> None:
    proofs = Proofs(report)
    for finding in flags:
        printer.console.print()
        shown = [c for c in finding.seen if c.severity == "flag"]
        for fired in shown[:MOST_ALIKE]:
            text = printer.text(one_line(fired.message, 300)) + printer.text(f" ({fired.id})", "dim")
            printer.lines(text, " " * 6, printer.text("FLAG  ", "bold red"))
            _proofs(printer, proofs.of(fired))
        more = len(shown) - MOST_ALIKE
        if more > 0:
            printer.lines(printer.text(f"and {more:,} more of this kind", "dim"), " " * 6)


def print_exclusions(console: Console, review: Review) -> None:
    """Prints for each finding the line of ``rigor.toml`` that excludes it."""
    lines = [f'exclude."{c.fingerprint}" = "why it is wrong"' for c in review.checks if c.severity != "strength"]
    if lines:
        console.print("\nLines for rigor.toml (before its first table), each excludes a finding that is wrong:")
    for line in dict.fromkeys(lines):
        console.print(f"exclude: {line}", markup=False, soft_wrap=True)


def _proofs(printer: Printer, proofs: Sequence[Proof]) -> None:
    opening, closing = printer.glyphs.quotes
    for proof in proofs[:_PROOFS]:
        head = printer.text(f"{proof.place}: ", "dim") + printer.text(proof.label, _PROOF_TONES.get(proof.tone, ""))
        if proof.detail:
            head.append_text(printer.text(f"  {proof.detail}"))
        printer.lines(head, " " * 8, Text(" " * 6))
        for quote in proof.quotes:
            printer.lines(printer.text(f"{opening}{quote}{closing}", "italic"), " " * 10, Text(" " * 8))


def _grades(printer: Printer, review: Review) -> None:
    overall = Grade(review.overall, "scored" if review.overall is not None else "unscorable", review.reason)
    _grade(printer, "overall", overall, review.reason, "bold")
    for name, grade in review.grades.items() if not unknown(review) else ():
        _grade(printer, name, grade, grade.reason)


def _grade(printer: Printer, name: str, grade: Grade, reason: str, style: str = "") -> None:
    value, narrow = grade.value, printer.console.width < 78
    front = printer.text(f"{name:<{_TITLE}}", style)
    if value is None:
        front.append_text(printer.text("n/a  " if grade.status == "not_applicable" else "  ?  ", "dim"))
        if not narrow:
            word = "" if grade.status == "not_applicable" else "not known"
            front.append_text(printer.text(f"{word:<11}{'':<{_bar(printer)}}  ", "dim"))
    else:
        colour = grade_tone(value)
        front.append_text(printer.text(f"{value:>3}  ", f"{style} {colour}".strip()))
        if not narrow:
            front.append_text(printer.text(f"{level(value):<11}", colour))
            front.append_text(printer.bar(value / 100, _bar(printer), colour) + Text("  "))
    printer.lines(printer.text(one_line(reason, 300), "dim"), " " * front.cell_len, front)


def _bar(printer: Printer) -> int:
    return 22 if printer.wide else 10


def _change(printer: Printer, number: int, cause: Finding) -> None:
    """What the agent did, where, and the line that would have prevented it."""
    first = cause.first
    deed = did(first.id)
    head = printer.text(f"{deed[0].upper()}{deed[1:]}", "red" if first.severity == "flag" else "")
    head.append_text(printer.text(f" ({', '.join(cause.ids)})", "dim"))
    printer.lines(head, " " * 3, printer.text(f"{number}  "))
    if first.severity != "flag":
        where = place(first.step, first.source)
        more = sum(c.id == first.id for c in cause.seen) - 1
        tail = [where, f"and {plural(more, 'more like it', 'more like it')}" if more else ""]
        said = one_line(first.message, 300) + (f" ({', '.join(filter(None, tail))})" if any(tail) else "")
        printer.lines(printer.text(said, "dim"), " " * 3)
    others = "; ".join(did(id) for id in cause.ids[1:])
    if others:
        printer.lines(printer.text(f"with it: {others}", "dim"), " " * 3)
    if first.advice:
        printer.lines(printer.text(first.advice, "italic"), " " * 14, Text("   ") + printer.text("AGENTS.md: ", "cyan"))


def _left_out(printer: Printer, review: Review, causes: Sequence[Finding]) -> None:
    """What was done well, in a line; then how to see what is not shown."""
    strengths = _once(c for c in review.checks if c.severity == "strength")
    if strengths:
        printer.console.print()
        well = "; ".join(did(id) for id in strengths)
        printer.lines(printer.text(well), " " * 11, printer.text("Done well  ", "green"))
    more = causes[CHANGES:]
    hidden = f"{plural(len(more), 'smaller finding')} ({', '.join(_once(c.first for c in more))}), " if more else ""
    example = next((c.first.id for c in causes), next(iter(strengths), None))
    explained = f"; `rigor explain {example}` says what a check means" if example else ""
    printer.console.print()
    printer.line(
        printer.text(f"Not shown: {hidden}the evidence and the log: `--html page.html`, or `--json`{explained}.", "dim")
    )


def _once(fired: Iterable[Fired]) -> list[str]:
    return list(dict.fromkeys(c.id for c in fired))
