"""The paper's measure of a session on a terminal: pillars with their sub-metrics, RigorScore and what lowered it."""

from __future__ import annotations

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ...metrics.result import PILLAR_TITLES, Finding, SubMetric
from ...review.score import ReviewedSession
from ..console import WIDE, Printer, tone
from ..text import words

FINDINGS = 3


def print_paper(printer: Printer, report: ReviewedSession) -> None:
    """Prints the pillars; the RigorScore and its findings only where it is meant."""
    _pillars(printer, report)
    _total(printer, report)
    if report.benchmarked and report.findings:
        printer.console.print()
        for finding in report.findings[:FINDINGS]:
            _finding(printer, finding)


class _Columns(Struct, frozen=True):
    title: int
    bar: int


def _columns(console: Console) -> _Columns:
    if console.width >= WIDE:
        return _Columns(28, 22)
    return _Columns(13, 10 if console.width >= 78 else 6)


def _pillars(printer: Printer, report: ReviewedSession) -> None:
    columns = _columns(printer.console)
    front = 4 + columns.title + 1 + columns.bar
    printer.line(printer.text(f"{'':<{front}} {'score':<9}{'evidence':>8}", "dim"))
    for name, pillar in report.score.pillars.items():
        title = PILLAR_TITLES.get(name, name) if printer.wide else words.SHORT_TITLES.get(name, name)
        value = pillar.value if pillar.status == "scored" else None
        left = _row(printer, columns, name, title, value, words.value_or_status(pillar), pillar.evidence_share)
        details = [_short(printer, key, metric) for key, metric in pillar.submetrics.items()]
        line = left + Text("  ") + printer.join(details)
        if line.cell_len <= printer.console.width:
            printer.line(line)
        else:
            printer.line(left)
            printer.wrapped(details, 4)


def _row(
    printer: Printer,
    columns: _Columns,
    name: str,
    title: str,
    value: float | None,
    shown: str,
    share: float | None,
) -> Text:
    room = 4 + columns.title + 1 - len(name)
    return Text().join(
        [
            printer.text(name, "bold"),
            printer.text(f"{'':<{max(0, 4 - len(name))}}{title}"[: 4 + columns.title - len(name)].ljust(room)),
            printer.bar(value, columns.bar),
            printer.text(f" {shown:<10}", "bold" if value is not None else "dim"),
            printer.text(f"{words.percent(share):>6}", "dim"),
        ]
    )


def _short(printer: Printer, name: str, metric: SubMetric) -> Text:
    if metric.status == "scored" and metric.value is not None:
        return printer.text(f"{name} ") + printer.text(words.short_score(metric.value), tone(metric.value))
    return printer.text(f"{name} {'?' if metric.status == 'unscorable' else 'n/a'}", "dim")


def _total(printer: Printer, report: ReviewedSession) -> None:
    score = report.score
    columns = _columns(printer.console)
    if report.benchmarked:
        value = words.score(score.rigor_score) if score.rigor_score is not None else "none"
        printer.line(_row(printer, columns, "RigorScore", "", score.rigor_score, value, score.evidence_share))
        if score.rigor_score is None:
            printer.line(printer.text(words.no_score(score), "dim"))
    if any(m.status == "unscorable" for p in score.pillars.values() for m in p.submetrics.values()):
        printer.line(printer.text("? = unscorable: --json says why", "dim"))
    _methods(printer, report)


def _methods(printer: Printer, report: ReviewedSession) -> None:
    """Names the values that were judged, with the number of readings, and those that were estimated."""
    metrics = [(n, m) for p in report.score.pillars.values() for n, m in p.submetrics.items() if m.status == "scored"]
    # With n = 0 nothing was estimated: there was no plan, or no test.
    estimated = [name for name, m in metrics if m.method == "estimated" and m.n]
    judged = [f"{name} ({words.plural(len(m.readers), 'reading')})" for name, m in metrics if m.method == "judged"]
    parts = [f"{what}: {', '.join(names)}" for what, names in (("judged", judged), ("estimated", estimated)) if names]
    if parts:
        printer.wrapped([printer.text(part, "dim") for part in parts], 0)


def _finding(printer: Printer, finding: Finding) -> None:
    """Cost and sub-metric in front, then the text; the quote below it, on two lines at most."""
    front = printer.text(f"{words.cost(finding.cost)} ", "red")
    front.append_text(printer.text(f"{one_line(finding.submetric, 6):<7}", "bold"))
    indent = " " * front.cell_len
    where = "" if finding.step is None else f"step {finding.step}"
    if finding.event:
        where += f"{', ' if where else ''}{one_line(finding.event, 24)}"
    printer.lines(printer.text(one_line(finding.text, 240)), indent, front)
    proof = printer.text(where, "dim")
    if finding.quote and finding.quote.strip():
        opening, closing = printer.glyphs.quotes
        room = 2 * max(20, printer.console.width - len(indent)) - len(where) - 12
        quote = one_line(finding.quote, min(200, room))
        proof += Text((": " if where else "") + opening, "dim") + printer.text(quote, "italic") + Text(closing, "dim")
    if proof:
        printer.lines(proof, indent)
