"""One reviewed session on a terminal: verdict, flags with their proof, facts or grades, what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ..result import PILLAR_TITLES, ScoreFinding, SubMetric
from ..review import Grade, Review
from ..reviewed import ReviewedSession
from ..verdict import Cause, causes, did, verdict
from . import said, words
from .console import Printer, grade_tone, tone
from .facts import fact_line
from .proof import Proofs, place
from .title import shortened, titled

# Of several occurrences of one check, so many are printed; the rest is counted.
MOST_ALIKE = 2
_PROOFS = 3
_TITLE = 14
_TONES = {"bad": "bold red", "weak": "bold yellow", "fair": "bold", "good": "bold green", "unknown": "bold"}
_PROOF_TONES = {"fail": "red", "error": "red", "pass": "green", "talk": "yellow"}
# Of what lowered the RigorScore.
_FINDINGS = 3


def print_session(report: ReviewedSession, console: Console, *, paper: bool = False) -> None:
    """Prints a reviewed session: what was asked, the verdict, flags, grades, what to change; what was not read.

    ``paper``: print the paper's sub-metrics of any session.
    """
    printer = Printer(console)
    _header(printer, report)
    console.print()
    _review(printer, report)
    if paper or report.benchmarked:
        console.print()
        _paper(printer, report)
    _skipped(printer, report)


def print_exclusions(console: Console, review: Review) -> None:
    """Prints for each finding the line of ``rigor.toml`` that excludes it."""
    lines = [f'exclude."{c.fingerprint}" = "why it is wrong"' for c in review.checks if c.severity != "strength"]
    if lines:
        console.print("\nLines for rigor.toml (before its first table), each excludes a finding that is wrong:")
    for line in dict.fromkeys(lines):
        console.print(f"exclude: {line}", markup=False, soft_wrap=True)


def _header(printer: Printer, report: ReviewedSession) -> None:
    header, title = report.score.trajectory, titled(report.trajectory)[0]
    if title is not None:
        printer.line(printer.text(shortened(title, 2 * printer.console.width - 20), "bold"))
    shown = [printer.text(one_line(fact, 80)) for fact in fact_line(report)]
    if title is None:
        shown[0].stylize("bold")
    printer.wrapped(shown, 0)
    printer.line(printer.text(one_line(f"{header.format} log {header.source}", 400), "dim"))


def _review(printer: Printer, report: ReviewedSession) -> None:
    review, told, proofs = report.review, verdict(report.review), Proofs(report)
    found = causes(review, report.events)
    printer.line(printer.text(told.sentence, _TONES[told.tone]))
    _flags(printer, said.accusations(review), proofs)
    printer.console.print()
    for name, known in said.facts(review):
        printer.lines(printer.text(one_line(known, 300)), " " * _TITLE, printer.text(f"{name:<{_TITLE}}", "dim"))
    for name, grade in said.grades(review).items():
        _grade(printer, name, grade)
    printer.line(printer.text(one_line(said.ground(review), 400), "dim"))
    _reading(printer, review, proofs)
    if found:
        _head(printer, "To change next time")
    for number, finding in enumerate(found[: said.CHANGES], 1):
        _change(printer, number, finding)
    more = [cause.first.id for cause in found[said.CHANGES :]]
    hidden = f"{words.plural(len(more), 'smaller finding')} ({', '.join(dict.fromkeys(more))}), " if more else ""
    told_of = [*(a.check for a in said.accusations(review) if a.check), *(cause.first.id for cause in found)]
    explained = f"; `rigor explain {told_of[0]}` says what a check means" if told_of else ""
    printer.console.print()
    printer.line(
        printer.text(f"Not shown: {hidden}the evidence and the log: `--html page.html`, or `--json`{explained}.", "dim")
    )


def _flags(printer: Printer, flags: Sequence[said.Told], proofs: Proofs) -> None:
    """The flags in their order; of one check the first ones."""
    number = Counter(flag.check for flag in flags)
    told: Counter[str | None] = Counter()
    for flag in flags:
        told[flag.check] += 1
        if flag.check is None or told[flag.check] <= MOST_ALIKE:
            printer.console.print()
            _accusation(printer, flag, proofs, printer.text("FLAG  ", "bold red"))
        elif told[flag.check] == number[flag.check]:
            more = f"and {number[flag.check] - MOST_ALIKE:,} more of this kind ({flag.check})"
            printer.lines(printer.text(more, "dim"), " " * 6)


def _accusation(printer: Printer, told: said.Told, proofs: Proofs, mark: Text) -> None:
    """A flag, or something that a reader says, with its proof."""
    standing = f" ({told.standing})" if told.standing else ""
    sentence = printer.text(one_line(told.message, 400)) + printer.text(_at(told.at) + standing, "dim")
    printer.lines(sentence, " " * 6, mark)
    opening, closing = printer.glyphs.quotes
    if told.quote:
        quote = printer.text(f"{opening}{one_line(told.quote, 200)}{closing}", "italic")
        printer.lines(quote, " " * 8, Text(" " * 6))
    for proof in proofs.of(told.events)[:_PROOFS]:
        head = printer.text(f"{proof.place}: ", "dim") + printer.text(proof.label, _PROOF_TONES.get(proof.tone, ""))
        if proof.detail:
            head.append_text(printer.text(f"  {proof.detail}"))
        printer.lines(head, " " * 8, Text(" " * 6))
        for line in proof.quotes:
            printer.lines(printer.text(f"{opening}{line}{closing}", "italic"), " " * 10, Text(" " * 8))


def _grade(printer: Printer, name: str, grade: Grade) -> None:
    value, narrow = grade.value, printer.console.width < 78
    style, bar = "bold" if name == "overall" else "", 22 if printer.wide else 10
    front = printer.text(f"{name:<{_TITLE}}", style)
    if value is None:
        front.append_text(printer.text(f"{said.grade_text(grade)}  " + ("" if narrow else " " * (13 + bar)), "dim"))
    else:
        colour = grade_tone(value)
        front.append_text(printer.text(f"{value:>3}  ", f"{style} {colour}".strip()))
        if not narrow:
            front.append_text(printer.text(f"{said.grade_word(grade):<11}", colour))
            front.append_text(printer.bar(value / 100, bar, colour) + Text("  "))
    printer.lines(printer.text(one_line(grade.reason, 300) + _at(grade.steps), "dim"), " " * front.cell_len, front)


def _reading(printer: Printer, review: Review, proofs: Proofs) -> None:
    """What a reader says beside the grades: against the log, without proof, as advice; and what is left out of it."""
    if review.reading is None:
        return
    for title, told in (
        ("What the log shows otherwise than the reader says", said.overruled(review)),
        ("Notes of one reading", said.notes(review)),
    ):
        if told:
            _head(printer, title)
        for each in told:
            _accusation(printer, each, proofs, Text("   -  "))
    if review.reading.advice:
        _head(printer, "What the reader advises")
    for line in review.reading.advice:
        _advice(printer, one_line(line, 300))
    left_out = said.left_out(review.reading)
    if left_out:
        printer.console.print()
        printer.line(printer.text(f"{left_out}.", "dim"))


def _head(printer: Printer, title: str) -> None:
    printer.console.print()
    printer.line(printer.text(title, "bold"))


def _at(names: Sequence[str]) -> str:
    """The check or the places that something rests on."""
    return f" ({one_line(', '.join(names), 100)})" if names else ""


def _advice(printer: Printer, line: str) -> None:
    printer.lines(printer.text(line, "italic"), " " * 14, Text("   ") + printer.text("AGENTS.md: ", "cyan"))


def _change(printer: Printer, number: int, finding: Cause) -> None:
    """What the agent did, where, and the line that would have prevented it; the message of a flag stands above."""
    first, more = finding.first, said.more(finding)
    flag = first.severity == "flag"
    head = printer.text(said.deed(finding), "red" if flag else "") + printer.text(_at(finding.ids), "dim")
    printer.lines(head, " " * 3, printer.text(f"{number}  "))
    if first.message and not flag:
        tail = [place(first.step, first.source), f"and {more:,} more like it" if more else ""]
        told = one_line(first.message, 300) + (f" ({', '.join(filter(None, tail))})" if any(tail) else "")
        printer.lines(printer.text(told, "dim"), " " * 3)
    others = "; ".join(did(id) for id in finding.ids[1:])
    if others:
        printer.lines(printer.text(f"with it: {others}", "dim"), " " * 3)
    if first.advice:
        _advice(printer, first.advice)


def _paper(printer: Printer, report: ReviewedSession) -> None:
    """The pillars with their sub-metrics; the RigorScore and what lowered it only where it is meant."""
    score = report.score
    title, bar = (28, 22) if printer.wide else (13, 10 if printer.console.width >= 78 else 6)
    printer.line(printer.text(f"{'':<{5 + title + bar}} {'score':<9}{'evidence':>8}", "dim"))

    def row(name: str, about: str, value: float | None, shown: str, share: float | None) -> Text:
        room = 4 + title - len(name)
        return Text().join(
            [
                printer.text(name, "bold"),
                printer.text(f"{'':<{max(0, 4 - len(name))}}{about}"[:room].ljust(room + 1)),
                printer.bar(value, bar),
                printer.text(f" {shown:<10}", "bold" if value is not None else "dim"),
                printer.text(f"{words.percent(share):>6}", "dim"),
            ]
        )

    for name, pillar in score.pillars.items():
        about = PILLAR_TITLES.get(name, name) if printer.wide else words.SHORT_TITLES.get(name, name)
        value = pillar.value if pillar.status == "scored" else None
        left = row(name, about, value, words.value_or_status(pillar), pillar.evidence_share)
        details = [_submetric(printer, key, metric) for key, metric in pillar.submetrics.items()]
        line = left + Text("  ") + printer.join(details)
        if line.cell_len <= printer.console.width:
            printer.line(line)
        else:
            printer.line(left)
            printer.wrapped(details, 4)
    if report.benchmarked:
        shown = words.score(score.rigor_score) if score.rigor_score is not None else "none"
        printer.line(row("RigorScore", "", score.rigor_score, shown, score.evidence_share))
        if score.rigor_score is None:
            printer.line(printer.text(words.no_score(score), "dim"))
    metrics = [(n, m) for p in score.pillars.values() for n, m in p.submetrics.items()]
    if any(m.status == "unscorable" for _, m in metrics):
        printer.line(printer.text("? = unscorable: --json says why", "dim"))
    scored = [(n, m) for n, m in metrics if m.status == "scored"]
    judged = [f"{n} ({words.plural(len(m.readers), 'reading')})" for n, m in scored if m.method == "judged"]
    if judged:
        printer.line(printer.text(f"judged: {', '.join(judged)}", "dim"))
    # With n = 0 nothing was estimated: there was no plan, or no test.
    if estimated := [name for name, metric in scored if metric.method == "estimated" and metric.n]:
        printer.line(printer.text(f"estimated: {', '.join(estimated)}; --json says how, a reader decides", "dim"))
    if report.benchmarked and report.findings and score.rigor_score is not None:
        printer.console.print()
        for finding in report.findings[:_FINDINGS]:
            _finding(printer, finding)


def _submetric(printer: Printer, name: str, metric: SubMetric) -> Text:
    if metric.status == "scored" and metric.value is not None:
        return printer.text(f"{name} ") + printer.text(words.short_score(metric.value), tone(metric.value))
    return printer.text(f"{name} {'?' if metric.status == 'unscorable' else 'n/a'}", "dim")


def _finding(printer: Printer, finding: ScoreFinding) -> None:
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


def _skipped(printer: Printer, report: ReviewedSession) -> None:
    undecided = words.undecided(report.trajectory)
    if undecided:
        printer.console.print()
        printer.lines(printer.text(undecided, "yellow"), "")
    listed = report.trajectory.skipped
    text = words.skipped(report.score, report.trajectory)
    if not text:
        return
    if listed:
        first = listed[0]
        place = first.file if first.line is None else f"{first.file}:{first.line}"
        text += f"; the first: {one_line(place, 120)} {one_line(first.reason, 160)}"
    printer.console.print()
    printer.line(printer.text(text, "yellow"))
