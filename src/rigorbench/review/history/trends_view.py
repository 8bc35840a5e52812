"""Trends on a terminal, and as a page."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...base.sanitize import one_line
from ..pages import words
from ..pages.console import Printer, fit
from ..pages.html import Page, render
from ..pages.listing import MOST_WEEKS, grade, print_summary, spark
from ..pages.numbers import cost_cell
from ..pages.summary import SessionRow
from ..pages.tally import SessionsSummary, Tally, Week
from .trends import KINDS, Kind, SessionGroup, Trends, trends

# Of many groups so many are listed; the page has them all.
MOST_GROUPS = 8


def print_trends(found: Trends, console: Console) -> None:
    """Prints the summary, the latest weeks, and the groups of each kind."""
    printer = Printer(console)
    print_summary(found.summary, console)
    shown = found.summary.weeks[-MOST_WEEKS:]
    graded = bool(found.summary.tally.graded)
    if shown:
        console.print()
        _table(printer, "week of", [(week.start, week.tally, None) for week in shown], 12, graded=graded)
        more = len(found.summary.weeks) - len(shown)
        if more:
            printer.line(printer.text(f"and {words.plural(more, 'earlier week')}", "dim"))
    for kind, groups in found.groups.items():
        if len(groups) > 1:
            console.print()
            _groups(printer, kind, groups, graded=graded)
    if found.undated:
        console.print()
        said = words.plural(found.undated, "session")
        printer.line(printer.text(f"{said} of unknown time: in no week", "dim"))


def _groups(printer: Printer, kind: str, groups: Sequence[SessionGroup], *, graded: bool) -> None:
    shown = groups[:MOST_GROUPS]
    most = min(34, max(12, printer.console.width - 60))
    first = min(most, max(cell_len(one_line(group.name)) for group in shown) + 1)
    lines = [(group.name, group.tally, group.weeks) for group in shown]
    _table(printer, kind, lines, max(first, len(kind) + 1), graded=graded)
    if len(groups) > len(shown):
        printer.line(printer.text(f"and {len(groups) - len(shown)} more", "dim"))


def _table(
    printer: Printer, kind: str, rows: Sequence[tuple[str, Tally, Sequence[Week] | None]], first: int, *, graded: bool
) -> None:
    costs = any(tally.cost is not None for _, tally, _ in rows)
    heads = [f"{kind:<{first}}", f"{'n':>4}", *(["median", "read"] if graded else []), "flags/100"]
    heads += [f"{'cost':>8}"] if costs else []
    series = any(weeks and len(weeks) > 1 for _, _, weeks in rows)
    printer.line(printer.text("  ".join([*heads, *(["by week"] if series else [])]), "dim"))
    for name, tally, weeks in rows:
        cells = [fit(printer.text(one_line(name, 80)), first, printer.glyphs.fine)]
        cells.append(printer.text(f"{tally.sessions:>4}"))
        if graded:
            cells += [grade(printer, tally.median, cells=6), printer.text(f"{tally.read or '–':>4}")]
        flags = tally.flags_per_100
        cells.append(printer.text(f"{'' if flags is None else f'{flags:.0f}':>9}", "red" if flags else ""))
        if costs:
            cells.append(printer.text(f"{cost_cell(tally.cost, tally.basis):>8}"))
        if series and weeks:
            cells.append(spark(printer, weeks[-MOST_WEEKS * 2 :], graded=graded))
        line = Text("  ").join(cells)
        line.rstrip()
        printer.line(line)


class TrendsPage(Page):
    """The page of trends. ``tables``: title, head of the first column and lines; a line of a week has no weeks."""

    template = "trends.html.j2"
    scripts = ("index.js", "common.js")
    styles = ("index.css", "trends.css")

    summary: SessionsSummary
    tables: list[tuple[str, str, list[SessionGroup]]]
    undated: int


def render_trends(rows: Sequence[SessionRow], kinds: Sequence[Kind] = KINDS) -> str:
    found = trends(rows, kinds)
    weeks = [SessionGroup(week.start, week.tally, []) for week in reversed(found.summary.weeks)]
    tables = [("By week", "Week of", weeks)] if weeks else []
    tables += [(f"By {kind}", kind.capitalize(), groups) for kind, groups in found.groups.items() if len(groups) > 1]
    return render(TrendsPage(found.summary, tables, found.undated))
