"""Many sessions on a terminal: what they have in common, then a line for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from ...base.sanitize import ELLIPSIS, one_line
from ..catalogue import all_checks
from ..verdict import did
from . import words
from .console import Printer, fit, grade_tone
from .numbers import cost_cell
from .summary import UNTITLED, SessionRow
from .tally import SessionsSummary, Tally, Week
from .title import shortened

# Eighths of a line, for grades of 0 to 100.
_SPARKS = "▁▂▃▄▅▆▇█"
MOST_WEEKS = 12
# So many findings are printed.
FREQUENT = 5
# The head of a column, and its cell in a row by number and session.
_Column = tuple[str, Callable[[int, SessionRow], Text]]


def print_sessions(rows: Sequence[SessionRow], console: Console, *, numbered: bool = True) -> None:
    """Prints a table of sessions in the given order.

    ``numbered``: with the numbers that ``rigor score`` takes; otherwise with the path of each log below it.
    """
    printer = Printer(console)
    columns = _columns(printer, rows, numbered=numbered)
    printer.row([printer.text(head, "dim") for head, _ in columns])
    for number, row in enumerate(rows, 1):
        printer.row([cell(number, row) for _, cell in columns])
        if not numbered:
            printer.lines(printer.text(one_line(row.source, 400), "dim"), "  ", Text("  "))


def print_summary(found: SessionsSummary, console: Console) -> None:
    """Prints what many sessions have in common, in a few lines."""
    printer = Printer(console)
    known = found.tally
    parts = [printer.text(words.plural(known.sessions, "session"), "bold")]
    if found.span:
        parts.append(printer.text(found.span))
    if known.read:
        parts.append(
            printer.text("median grade ") + grade(printer, known.median, "bold") + printer.text(f" ({known.read_text})")
        )
    parts.append(printer.text(f"{known.flagged_text} with a flag", "bold red" if known.flagged else ""))
    if known.cost is not None:
        parts.append(printer.text(f"cost {known.cost_text}"))
    printer.wrapped(parts, 0)
    if len(found.weeks) > 1:
        shown = found.weeks[-MOST_WEEKS:]
        printer.line(printer.text("by week     ", "dim"), *week_line(printer, shown, graded=bool(known.graded)))
    if found.weakest is not None:
        named, number = f"{found.weakest.grade}, median ", f" in {words.plural(found.weakest.sessions, 'session')}"
        value = grade(printer, found.weakest.median)
        printer.line(printer.text("weakest     ", "dim"), printer.text(named), value, printer.text(number, "dim"))
    if found.frequent:
        most = found.frequent[0]
        front = printer.text("most often  ", "dim")
        said = printer.text(f"in {most.sessions} of {known.sessions}: {most.sentence}")
        printer.lines(Text().join([printer.text(f"{most.id} ", "bold"), said]), " " * 12, front)


def print_frequent(rows: Sequence[SessionRow], console: Console) -> None:
    """Prints what was found in most sessions, flags first, each with a line for the agent's instructions."""
    printer, checks = Printer(console), all_checks()
    counts = Counter(check.id for row in rows for check in row.checks if check.severity != "strength")
    order = sorted(counts, key=lambda id: (id not in checks or checks[id].severity != "flag", -counts[id], id))
    if order:
        console.print()
        printer.line(printer.text("Found most often", "bold"))
    for id in order[:FREQUENT]:
        check, deed = checks.get(id), did(id)
        front = printer.text(f"{counts[id]:>4} of {len(rows):,}  ")
        flag = check is not None and check.severity == "flag"
        text = printer.text(f"{deed[0].upper()}{deed[1:]}", "red" if flag else "") + printer.text(f" ({id})", "dim")
        printer.lines(text, " " * front.cell_len, front)
        if check is not None and check.advice:
            advice = printer.text("AGENTS.md: ", "cyan") + printer.text(check.advice, "italic")
            printer.lines(advice, " " * (front.cell_len + 11), Text(" " * front.cell_len))
    console.print()
    rest = f"{words.plural(len(order) - FREQUENT, 'rarer finding')}; " if len(order) > FREQUENT else ""
    alone = "`rigor score LOG` shows one session, " if len({row.source for row in rows}) > 1 else ""
    how = f"{alone}`--html DIR` writes a page of each"
    printer.line(printer.text(f"Not shown: {rest}{how}.", "dim"))


def week_line(printer: Printer, weeks: Sequence[Week], *, graded: bool) -> list[Text]:
    """Weeks as a line of blocks, and the first and the last that have a value in words.

    ``graded``: by their median grade; else by the share of sessions with a flag.
    """
    known = [w for w in weeks if w.tally.charted(graded=graded) is not None]
    ends = [known[0], known[-1]] if len(known) > 1 else known
    said = " to ".join(f"{_charted(w.tally, graded=graded)} (week of {w.start})" for w in ends)
    return [spark(printer, weeks, graded=graded), printer.text(f"  {said}", "dim")]


def _charted(known: Tally, *, graded: bool) -> str:
    if graded:
        return f"{known.median or 0:.0f}, n = {known.graded}"
    return f"{known.flagged_text} with a flag"


def spark(printer: Printer, weeks: Sequence[Week], *, graded: bool) -> Text:
    """A block for each week, of what :func:`week_line` says; a dot where there is no such session."""
    line = Text()
    for week in weeks:
        value = week.tally.charted(graded=graded)
        if value is None:
            line.append_text(printer.text("·" if printer.glyphs.fine else ".", "dim"))
            continue
        style = grade_tone(value) if graded else "red" if value else "dim"
        block = _SPARKS[min(7, int(value / 12.5))] if printer.glyphs.fine else str(min(9, int(value / 10)))
        line.append_text(Text(block, style=style))
    return line


def grade(printer: Printer, value: float | None, style: str = "", cells: int = 0) -> Text:
    """A grade in its colour; a dash where there is none."""
    if value is None:
        return printer.text(f"{'–':>{cells}}", "dim")
    return printer.text(f"{round(value):>{cells}}", f"{style} {grade_tone(value)}".strip())


def _columns(printer: Printer, rows: Sequence[SessionRow], *, numbered: bool) -> list[_Column]:
    """Those for which there is room, and a value in some row."""
    width, fine, text = printer.console.width, printer.glyphs.fine, printer.text
    found: list[_Column] = []
    if numbered:
        digits = max(2, len(str(len(rows))))
        found.append((f"{'#':>{digits}}", lambda number, _: text(f"{number:>{digits}}", "bold")))
    found.append((f"{'started':<10}", lambda _, row: fit(text(str(row.day or ""), "dim"), 10, fine)))
    if any(row.reader is not None for row in rows):
        found.append(("grade", lambda _, row: grade(printer, row.overall, "bold", 5)))
    found.append(("flags", lambda _, row: text(f"{len(set(row.flags)) or '':>5}", "bold red")))
    found.append((" weak", lambda _, row: text(f"{row.weak or '':>5}")))
    if width >= 60:
        found.append(
            (
                f"{'lasted':>10}",
                lambda _, row: text(f"{words.duration(row.seconds):>10}"),
            )
        )
    cost = max((len(cost_cell(row.cost, row.cost_basis)) for row in rows), default=0)
    if cost and width >= 90:
        cost = max(4, cost)
        found.append((f"{'cost':>{cost}}", lambda _, row: text(f"{cost_cell(row.cost, row.cost_basis):>{cost}}")))
    project = _longest((row.project for row in rows), 10 if width < 100 else 18) if width >= 76 else 0
    if project:
        found.append(
            (
                f"{'project':<{project}}",
                lambda _, row: fit(_tail(text(one_line(row.project or "", 200)), project), project, fine),
            )
        )
    model = _longest((row.model for row in rows), 22) if width >= 116 else 0
    if model:
        found.append(
            (f"{'model':<{model}}", lambda _, row: fit(text(one_line(row.model or "", 60), "dim"), model, fine))
        )
    room = max(14, width - sum(len(head) + 2 for head, _ in found))
    return [*found, ("session", lambda _, row: _title(printer, row, room))]


def _title(printer: Printer, row: SessionRow, room: int) -> Text:
    title = printer.text(shortened(one_line(row.title or UNTITLED), room), "" if row.title else "dim")
    title.truncate(room, overflow="ellipsis" if printer.glyphs.fine else "crop")
    return title


def _longest(names: Iterable[str | None], most: int) -> int:
    longest = max((len(name) for name in names if name), default=0)
    return min(most, max(7, longest)) if longest else 0


def _tail(text: Text, cells: int) -> Text:
    """The end of a name of folders, in which they differ."""
    while text.cell_len > cells and len(text) > 1:
        text = Text(ELLIPSIS, style=text.style) + text[2 if text.plain.startswith(ELLIPSIS) else 1 :]
    return text
