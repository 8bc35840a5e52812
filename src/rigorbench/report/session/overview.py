"""What the overview of many sessions shows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...review.model import GRADES
from ..text import words
from ..text.costs import cost_cell
from .listing import cost_sum, flagged, read
from .summary import UNTITLED, SessionRow
from .tally import Summary, Week, day, summary

# The latest weeks that the chart shows.
MOST_WEEKS = 26


class Cell(Struct):
    """A grade of a session: ``value`` None shows ``text`` ("n/a", a dash)."""

    value: int | None
    text: str


class OverviewRow(Struct):
    """A session in the overview.

    Attributes:
        href: the address of its page, if it has one.
        by: agent and model; ``file``: the name of the log.
        flags: each once.
    """

    row: SessionRow
    href: str | None
    title: str
    by: str
    file: str
    date: str
    overall: str
    flags: list[str]
    lasted: str
    cost: str
    cells: list[Cell]


class WeekBar(Struct):
    """A week in the chart; ``tone``: the class of its colour; ``value`` None: no session to speak of."""

    value: float | None
    tone: str
    about: str


class Head(Struct):
    """What is on top of the overview.

    Attributes:
        median: of the overall grades, in words; ``tone``: the class of its colour; ``read``: on how many it rests.
        span: from which day to which; "" where no session has a time.
        weeks: [] where all sessions are of one week.
    """

    summary: Summary
    median: str
    tone: str
    read: str
    span: str
    flagged: str
    cost: str | None
    weeks: list[WeekBar]


class Choice(Struct):
    """A choice above the list: its name, what it says of all, and its values."""

    name: str
    label: str
    values: list[str]


def latest_first(entries: Sequence[tuple[SessionRow, str | None]]) -> list[tuple[SessionRow, str | None]]:
    """Sessions by their date; those without one last, by source."""
    ordered = sorted(entries, key=lambda entry: entry[0].source)
    return sorted(ordered, key=lambda entry: entry[0].date or "", reverse=True)


def overview(entries: Sequence[tuple[SessionRow, str | None]]) -> list[OverviewRow]:
    """The rows of the overview, in the given order."""
    return [_row(row, href) for row, href in entries]


def head(rows: Sequence[SessionRow]) -> Head:
    """What many sessions have in common."""
    found = summary(rows)
    known = found.tally
    span = "" if found.first is None else found.first
    return Head(
        summary=found,
        median="–" if known.median is None else f"{known.median:.0f}",
        tone=words.tone(known.median),
        read=read(known) if known.read else "",
        span=span if found.last in (None, found.first) else f"{span} to {found.last}",
        flagged=flagged(known),
        cost=cost_sum(known) or None,
        weeks=week_bars(found.weeks, graded=bool(known.graded)),
    )


def choices(rows: Sequence[SessionRow]) -> list[Choice]:
    """By what the list can be narrowed; only what differs."""
    values = {
        "project": {row.project for row in rows if row.project},
        "model": {row.model for row in rows if row.model},
        "flag": {flag for row in rows for flag in row.flags},
    }
    labels = {"project": "All projects", "model": "All models", "flag": "With and without flags"}
    least = {"flag": 1}
    return [Choice(n, labels[n], sorted(found)) for n, found in values.items() if len(found) >= least.get(n, 2)]


def week_bars(weeks: Sequence[Week], *, graded: bool) -> list[WeekBar]:
    """The bars of the latest weeks, by median grade or by the share of sessions with a flag; none of a single week."""
    if len(weeks) < 2:
        return []
    bars = []
    for week in weeks[-MOST_WEEKS:]:
        value, of = week.tally.charted(graded=graded), week.tally
        said = (
            f"{flagged(of)} with a flag"
            if not graded
            else f"median {value or 0:.0f} of {words.plural(of.graded, 'session')}"
        )
        tone = words.tone(value) if graded else "fail" if value else "muted"
        bars.append(WeekBar(value, tone, f"week of {week.start}: {'no session' if value is None else said}"))
    return bars


def _row(row: SessionRow, href: str | None) -> OverviewRow:
    cells = []
    for name in GRADES:
        value = row.grades.get(name)
        cells.append(Cell(value, words.graded(value, row.statuses.get(name, "not_applicable"))))
    date = words.date(row.date)
    return OverviewRow(
        row,
        href,
        row.title or UNTITLED,
        " · ".join(part for part in (row.agent, row.model) if part),
        words.project(row.source) or row.source,
        date.removesuffix(" UTC") if date else str(day(row) or ""),
        "–" if row.overall is None else str(row.overall),
        list(dict.fromkeys(row.flags)),
        "" if row.seconds is None else words.duration(row.seconds),
        cost_cell(row.cost, row.cost_basis),
        cells,
    )
