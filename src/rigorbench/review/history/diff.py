"""Two sessions side by side."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ...session.cost import Cost
from ..pages import words
from ..pages.console import Printer, fit, grade_tone
from ..pages.listing import grade
from ..pages.numbers import cost_line
from ..pages.summary import UNTITLED, RowCheck, SessionRow
from ..pages.title import shortened
from ..review import GRADES

_STYLES = {"flag": "bold red", "weak": "yellow", "note": "dim", "strength": ""}
_LABEL = 14
_Pair = tuple[str, str]


class GradePair(Struct):
    """A grade of both sessions; ``change``: from the first to the second, None where one has none."""

    name: str
    a: int | None
    b: int | None
    change: int | None


class Difference(Struct):
    a: SessionRow
    b: SessionRow
    grades: list[GradePair]
    """The overall grade first; none where neither was read."""
    only_a: list[RowCheck]
    """Checks that fired only in the first."""
    only_b: list[RowCheck]
    both: list[RowCheck]
    """As they fired in the second."""


def difference(a: SessionRow, b: SessionRow) -> Difference:
    in_a, in_b = {c.id for c in a.checks}, {c.id for c in b.checks}
    pairs = []
    if a.reader is not None or b.reader is not None:
        pairs = [_pair("overall", a.overall, b.overall)]
        pairs += [_pair(name, a.grades.get(name), b.grades.get(name)) for name in GRADES]
    return Difference(
        a,
        b,
        pairs,
        [c for c in a.checks if c.id not in in_b],
        [c for c in b.checks if c.id not in in_a],
        [c for c in b.checks if c.id in in_a],
    )


def print_difference(found: Difference, console: Console) -> None:
    """Prints facts and grades in two columns, what is said of each pillar, then the checks by where they fired."""
    printer = Printer(console)
    column = max(12, min(44, (console.width - _LABEL - 8) // 2))
    a, b = found.a, found.b
    _facts(printer, "", ("A", "B"), column, style="bold")
    about = _about(b, column)
    for label, text in _about(a, column).items():
        _facts(printer, label, (text, about[label]), column)
    if a.reader or b.reader:
        _facts(printer, "read by", (a.reader or "nobody", b.reader or "nobody"), column)
    console.print()
    for pair in found.grades:
        if pair.a is not None or pair.b is not None or pair.name == "overall":
            _grade(printer, found, pair, column)
    for name in GRADES:
        _said(printer, name, a.facts.get(name, ""), b.facts.get(name, ""))
    console.print()
    work = _work(b)
    for label, text in _work(a).items():
        if text or work[label]:
            _facts(printer, label, (text or "unknown", work[label] or "unknown"), column)
    for title, checks in (("only in A", found.only_a), ("only in B", found.only_b)):
        console.print()
        if not checks:
            printer.line(printer.text(f"{title}: no check", "dim"))
            continue
        printer.line(printer.text(title, "bold"))
        for check in checks:
            _check(printer, check)
    if found.both:
        console.print()
        same = ", ".join(check.id for check in found.both)
        printer.lines(printer.text(same), " " * 9, printer.text("in both  ", "bold"))


def _pair(name: str, a: int | None, b: int | None) -> GradePair:
    return GradePair(name, a, b, None if a is None or b is None else b - a)


def _about(row: SessionRow, width: int) -> dict[str, str]:
    return {
        "session": shortened(one_line(row.title or UNTITLED), width),
        "agent": row.agent,
        "model": row.model or "",
        "project": row.project or "",
        "started": words.date(row.date) or "",
    }


def _work(row: SessionRow) -> dict[str, str]:
    cost = None if row.cost is None or row.cost_basis is None else Cost(row.cost, row.cost_basis)
    return {
        "size of work": row.size or "unknown",
        "answers": words.count(row.steps),
        "lasted": "unknown" if row.seconds is None else words.duration(row.seconds),
        "cost": cost_line(cost) or "",
    }


def _facts(printer: Printer, label: str, texts: _Pair, column: int, style: str = "") -> None:
    if any(texts):
        cells = [printer.text(one_line(text, 200), style) for text in texts]
        _put(printer, label, [fit(cell, column, printer.glyphs.fine) for cell in cells])


def _grade(printer: Printer, found: Difference, pair: GradePair, column: int) -> None:
    cells = []
    for row, value in ((found.a, pair.a), (found.b, pair.b)):
        status = "" if pair.name == "overall" else row.statuses.get(pair.name, "not_applicable")
        shown = grade(printer, value, cells=3) if value is not None else printer.text(words.graded(None, status), "dim")
        cell = Text().join(
            [shown, Text(" "), printer.bar(value / 100, 10, grade_tone(value)) if value is not None else Text()]
        )
        cells.append(fit(cell, column, printer.glyphs.fine))
    change = pair.change
    said = "" if change is None else "=" if change == 0 else f"{change:+d}"
    tone = "" if not change else "green" if change > 0 else "red"
    _put(printer, pair.name, [*cells, printer.text(said, tone)])


def _said(printer: Printer, name: str, a: str, b: str) -> None:
    """What is said of a pillar in both sessions, each in a line of its own, or once where it is the same."""
    for side, told in (("A B", a),) if a == b else (("A", a), ("B", b)):
        if told:
            front = printer.text(f"{name if side != 'B' or not a else '':<{_LABEL - 2}}  {side:<3}  ", "dim")
            printer.lines(printer.text(one_line(told, 300)), " " * front.cell_len, front)


def _put(printer: Printer, label: str, cells: Sequence[Text]) -> None:
    printer.row([printer.text(f"{label:<{_LABEL - 2}}", "dim"), *cells])


def _check(printer: Printer, check: RowCheck) -> None:
    front = printer.text(f"  {check.severity:<9}", _STYLES[check.severity])
    parts = [printer.text(f"{check.id}  ", "bold"), printer.text(one_line(check.message, 300))]
    if check.times > 1:
        parts.append(printer.text(f" ({check.times} times)", "dim"))
    printer.lines(Text().join(parts), " " * 11, front)
