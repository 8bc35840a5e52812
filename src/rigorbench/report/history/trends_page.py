"""The page of trends."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..pages import Page, render
from ..session.overview import Head, WeekBar, head, week_bars
from ..session.summary import SessionRow
from ..session.tally import Tally
from ..text.costs import cost_cell
from .trends import KINDS, Kind, Trends, trends


class Line(Struct):
    """A week or a group in a table; ``weeks``: the bars of a group, [] for a week."""

    name: str
    tally: Tally
    median: str
    flags: str
    cost: str
    weeks: list[WeekBar]


class Table(Struct):
    """A table of the page; ``by``: head of its first column."""

    title: str
    by: str
    lines: list[Line]


class TrendsPage(Page):
    """Trends of sessions. ``undated``: how many are in no week."""

    template = "trends.html.j2"
    scripts = ("index.js", "common.js")
    styles = ("index.css", "trends.css")

    head: Head
    tables: list[Table]
    costs: bool
    undated: int


def render_trends(rows: Sequence[SessionRow], kinds: Sequence[Kind] = KINDS) -> str:
    """The page of the trends of sessions."""
    found = trends(rows, kinds)
    costs = found.summary.tally.cost is not None
    return render(TrendsPage(head(rows), _tables(found), costs, found.undated))


def _tables(found: Trends) -> list[Table]:
    graded = bool(found.summary.tally.graded)
    weeks = [_line(w.start, w.tally, []) for w in reversed(found.summary.weeks)]
    tables = [Table("By week", "Week of", weeks)] if weeks else []
    for kind, groups in found.groups.items():
        if len(groups) > 1:
            lines = [_line(group.name, group.tally, week_bars(group.weeks, graded=graded)) for group in groups]
            tables.append(Table(f"By {kind}", kind.capitalize(), lines))
    return tables


def _line(name: str, tally: Tally, weeks: list[WeekBar]) -> Line:
    median = "–" if tally.median is None else f"{tally.median:.0f}"
    flags = "" if tally.flags_per_100 is None else f"{tally.flags_per_100:.0f}"
    return Line(name, tally, median, flags, cost_cell(tally.cost, tally.basis), weeks)
