"""The review of a session on a terminal: verdict, flags with their proof, facts or grades, what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ...review.causes import findings
from ...review.model import Review
from ...review.score import ReviewedSession
from ...review.verdict import did
from ..console import Printer, grade_tone
from ..text.words import plural
from .places import Link
from .review_view import CHANGES, Anchors, ChangeView, FlagView, GaugeView, ReadingView, review_view

# Of several occurrences of one check, so many are printed; the rest is counted.
MOST_ALIKE = 2
_PROOFS = 3
_TITLE = 14
_TONES = {"bad": "bold red", "weak": "bold yellow", "fair": "bold", "good": "bold green", "unknown": "bold"}
_PROOF_TONES = {"fail": "red", "error": "red", "pass": "green", "talk": "yellow"}


def print_review(printer: Printer, report: ReviewedSession) -> None:
    """Prints the verdict, the flags, the facts or what a reader says, what to change, and what is not shown."""
    view = review_view(report.review, report, Anchors({}, ()))
    printer.line(printer.text(view.verdict, _TONES[view.tone]))
    _flags(printer, view.accused)
    printer.console.print()
    for name, words in view.facts:
        printer.lines(printer.text(one_line(words, 300)), " " * _TITLE, printer.text(f"{name:<{_TITLE}}", "dim"))
    if view.reading is not None:
        for gauge in view.reading.gauges:
            _grade(printer, gauge)
    printer.line(printer.text(one_line(view.ground, 400), "dim"))
    if view.reading is not None:
        _reading(printer, view.reading)
    if view.changes:
        _head(printer, "To change next time")
        for number, change in enumerate(view.changes, 1):
            _change(printer, number, change)
    _left_out(printer, report)


def _flags(printer: Printer, flags: Sequence[FlagView]) -> None:
    """The flags in their order; of one check the first ones."""
    ids = Counter("" if flag.standing else flag.links[0].id for flag in flags)
    told: Counter[str] = Counter()
    for flag in flags:
        id = "" if flag.standing else flag.links[0].id
        told[id] += 1
        if not id or told[id] <= MOST_ALIKE:
            printer.console.print()
            _accusation(printer, flag, printer.text("FLAG  ", "bold red"))
        elif told[id] == ids[id]:
            printer.lines(printer.text(f"and {ids[id] - MOST_ALIKE:,} more of this kind ({id})", "dim"), " " * 6)


def _accusation(printer: Printer, said: FlagView, mark: Text) -> None:
    """A flag, or something that a reader says, with its proof."""
    standing = f" ({said.standing})" if said.standing else ""
    words = printer.text(one_line(said.message, 400)) + printer.text(_at(said.links) + standing, "dim")
    printer.lines(words, " " * 6, mark)
    opening, closing = printer.glyphs.quotes
    if said.quote:
        quote = printer.text(f"{opening}{one_line(said.quote, 200)}{closing}", "italic")
        printer.lines(quote, " " * 8, Text(" " * 6))
    for proof, _ in said.proofs[:_PROOFS]:
        head = printer.text(f"{proof.place}: ", "dim") + printer.text(proof.label, _PROOF_TONES.get(proof.tone, ""))
        if proof.detail:
            head.append_text(printer.text(f"  {proof.detail}"))
        printer.lines(head, " " * 8, Text(" " * 6))
        for line in proof.quotes:
            printer.lines(printer.text(f"{opening}{line}{closing}", "italic"), " " * 10, Text(" " * 8))


def print_exclusions(console: Console, review: Review) -> None:
    """Prints for each finding the line of ``rigor.toml`` that excludes it."""
    lines = [f'exclude."{c.fingerprint}" = "why it is wrong"' for c in review.checks if c.severity != "strength"]
    if lines:
        console.print("\nLines for rigor.toml (before its first table), each excludes a finding that is wrong:")
    for line in dict.fromkeys(lines):
        console.print(f"exclude: {line}", markup=False, soft_wrap=True)


def _grade(printer: Printer, gauge: GaugeView) -> None:
    value, narrow = gauge.value, printer.console.width < 78
    style, bar = "bold" if gauge.name == "overall" else "", 22 if printer.wide else 10
    front = printer.text(f"{gauge.name:<{_TITLE}}", style)
    if value is None:
        front.append_text(printer.text(f"{gauge.text}  " + ("" if narrow else " " * (13 + bar)), "dim"))
    else:
        colour = grade_tone(value)
        front.append_text(printer.text(f"{value:>3}  ", f"{style} {colour}".strip()))
        if not narrow:
            front.append_text(printer.text(f"{gauge.word:<11}", colour))
            front.append_text(printer.bar(value / 100, bar, colour) + Text("  "))
    printer.lines(printer.text(one_line(gauge.reason, 300) + _at(gauge.places), "dim"), " " * front.cell_len, front)


def _reading(printer: Printer, reading: ReadingView) -> None:
    """What a reader says beside the grades: against the log, without proof, as advice; and what is left out of it."""
    for title, said in (
        ("What the log shows otherwise than the reader says", reading.overruled),
        ("Notes of one reading", reading.notes),
    ):
        if said:
            _head(printer, title)
        for each in said:
            _accusation(printer, each, Text("   -  "))
    if reading.advice:
        _head(printer, "What the reader advises")
    for line in reading.advice:
        _advice(printer, one_line(line, 300))
    if reading.left_out:
        printer.console.print()
        printer.line(printer.text(f"{reading.left_out}.", "dim"))


def _head(printer: Printer, title: str) -> None:
    printer.console.print()
    printer.line(printer.text(title, "bold"))


def _at(links: Sequence[Link]) -> str:
    """The check or the places that something rests on."""
    return f" ({one_line(', '.join(link.id for link in links), 100)})" if links else ""


def _advice(printer: Printer, line: str) -> None:
    printer.lines(printer.text(line, "italic"), " " * 14, Text("   ") + printer.text("AGENTS.md: ", "cyan"))


def _change(printer: Printer, number: int, change: ChangeView) -> None:
    """What the agent did, where, and the line that would have prevented it."""
    head = printer.text(change.deed, "red" if change.flag else "") + printer.text(_at(change.checks), "dim")
    printer.lines(head, " " * 3, printer.text(f"{number}  "))
    if change.message:
        tail = [change.place, f"and {plural(change.more, 'more like it', 'more like it')}" if change.more else ""]
        said = one_line(change.message, 300) + (f" ({', '.join(filter(None, tail))})" if any(tail) else "")
        printer.lines(printer.text(said, "dim"), " " * 3)
    others = "; ".join(did(check.id) for check in change.checks[1:])
    if others:
        printer.lines(printer.text(f"with it: {others}", "dim"), " " * 3)
    if change.advice:
        _advice(printer, change.advice)


def _left_out(printer: Printer, report: ReviewedSession) -> None:
    """How to see what is not shown."""
    more = [cause.first.id for cause in findings(report.review, report.events)[CHANGES:]]
    hidden = f"{plural(len(more), 'smaller finding')} ({', '.join(dict.fromkeys(more))}), " if more else ""
    example = next((c.id for c in report.review.checks), None)
    explained = f"; `rigor explain {example}` says what a check means" if example else ""
    printer.console.print()
    printer.line(
        printer.text(f"Not shown: {hidden}the evidence and the log: `--html page.html`, or `--json`{explained}.", "dim")
    )
