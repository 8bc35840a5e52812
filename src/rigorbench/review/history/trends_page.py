"""The page of trends."""

from __future__ import annotations

from collections.abc import Sequence

from ..pages.html import Page, render
from ..pages.summary import SessionRow
from ..pages.tally import Summary
from .trends import KINDS, Group, Kind, trends


class TrendsPage(Page):
    """Trends of sessions.

    Attributes:
        tables: title, head of the first column and lines of each; a line of a week has no weeks.
        undated: how many sessions are in no week.
    """

    template = "trends.html.j2"
    scripts = ("index.js", "common.js")
    styles = ("index.css", "trends.css")

    summary: Summary
    tables: list[tuple[str, str, list[Group]]]
    undated: int


def render_trends(rows: Sequence[SessionRow], kinds: Sequence[Kind] = KINDS) -> str:
    """The page of the trends of sessions."""
    found = trends(rows, kinds)
    weeks = [Group(week.start, week.tally, []) for week in reversed(found.summary.weeks)]
    tables = [("By week", "Week of", weeks)] if weeks else []
    tables += [(f"By {kind}", kind.capitalize(), groups) for kind, groups in found.groups.items() if len(groups) > 1]
    return render(TrendsPage(found.summary, tables, found.undated))
