"""The site of a leaderboard: a page of all entries, a page for each, the same as JSON, and the tables behind it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from types import ModuleType
from urllib.parse import quote

import msgspec
from msgspec import Struct

from ....review.pages.html import Page, render
from ...experiment.results.parquet import write_tables
from ...experiment.results.read import ResultTables
from ...experiment.results.sources import DATA, SITE
from . import words
from .board import Board, BoardEntry, EntrySource, Leaderboard

INDEX = "index.html"
ENTRIES = "entries"
_TABLES = ("experiments", "tasks", "runs")
# Address of a report in a place of the sources, seen from the pages of entries; None: it is not beside the site.
Address = Callable[[str], str | None]


class Chart(Struct, frozen=True):
    """Places of dates and scores in a picture of ``width`` x ``height``."""

    first: datetime
    last: datetime
    width: float = 72.0
    height: float = 20.0
    left: float = 2.0
    right: float = 2.0
    top: float = 2.0
    bottom: float = 2.0

    def x(self, date: datetime) -> str:
        """A single date is in the middle."""
        span = max((self.last - self.first).total_seconds(), 1.0)
        share = 0.5 if self.first == self.last else (date - self.first).total_seconds() / span
        return f"{self.left + share * (self.width - self.left - self.right):.1f}"

    def y(self, score: float) -> str:
        return f"{self.top + (1 - min(1.0, max(0.0, score))) * (self.height - self.top - self.bottom):.1f}"


def spark(course: Sequence[tuple[datetime, float]]) -> str:
    """The points of the small line in the row of an entry; "" with fewer than two."""
    if len(course) < 2:
        return ""
    chart = Chart(course[0][0], course[-1][0])
    return " ".join(f"{chart.x(date)},{chart.y(score)}" for date, score in course)


class LeaderboardPage(Page):
    """The first page of a leaderboard: all boards with their entries."""

    template = "leaderboard.html.j2"
    scripts = ("leaderboard.js", "scrolls.js")
    styles = ("experiment.css", "leaderboard.css")

    leaderboard: Leaderboard
    apart: list[str]
    """What sets each board apart from the others of its suite."""
    columns: list[words.Column]
    """Of figures, on any board."""
    filters: list[tuple[str, str, list[str]]]
    """Attribute, label and values of each choice."""
    courses: Mapping[str, list[tuple[datetime, float]]]
    """By the page of an entry: dates and scores on its board, of all its versions."""
    spark: Callable[[Sequence[tuple[datetime, float]]], str] = spark
    say: ModuleType = words


class EntryPage(Page):
    template = "leaderboard_entry.html.j2"
    scripts = ("scrolls.js",)
    styles = ("experiment.css", "leaderboard.css")

    leaderboard: Leaderboard
    board: Board
    entry: BoardEntry
    history: list[tuple[EntrySource, Board, BoardEntry]]
    """Every dated experiment with this agent, harness and model that has a score, over versions and boards, each with
    the board and the entry that it is on."""
    address: Address
    """Of a report."""
    chart: Chart | None
    """None without a dated score."""
    say: ModuleType = words


def leaderboard_page(leaderboard: Leaderboard) -> LeaderboardPage:
    boards = leaderboard.boards
    courses: dict[str, list[tuple[datetime, float]]] = {}
    for board in boards:
        series: dict[tuple[str, str, str], list[tuple[datetime, float]]] = {}
        for entry in board.entries:
            series.setdefault(entry.key.series, []).extend(entry.course())
        courses |= {entry.page: sorted(series[entry.key.series]) for entry in board.entries}
    entries = [(board, entry) for board in boards for entry in board.entries]
    values = (
        ("suite", "Suite", {words.name(b.conditions.suite) for b, _ in entries}),
        ("agent", "Agent", {words.name(e.key.agent) for _, e in entries}),
        ("harness", "Harness", {words.name(e.key.harness) for _, e in entries}),
        ("model", "Model or policy", {words.model(e.key.model, b.conditions.scripted) for b, e in entries}),
    )
    return LeaderboardPage(
        leaderboard,
        words.apart([board.conditions for board in boards]),
        list(dict.fromkeys(column for board in boards for column in words.columns(board))),
        [(name, label, sorted(found)) for name, label, found in values if len(found) > 1],
        courses,
    )


def pages(leaderboard: Leaderboard, reports: Address) -> dict[str, str]:
    """Page by its place in the site."""
    found = {INDEX: render(leaderboard_page(leaderboard)), SITE: document(leaderboard)}
    series = leaderboard.series()
    for board in leaderboard.boards:
        for entry in board.entries:
            history = [
                (source.date, source.experiment, other.number, (source, other, each))
                for other, each in series[entry.key.series]
                if other.conditions.scripted is board.conditions.scripted
                for source in each.sources
                if source.date is not None and source.score.value is not None
            ]
            history.sort(key=lambda row: row[:3])
            chart = Chart(history[0][0], history[-1][0], 720.0, 240.0, 34.0, 12.0, 10.0, 24.0) if history else None
            page = EntryPage(leaderboard, board, entry, [row[3] for row in history], reports, chart)
            found[entry.page] = render(page)
    return found


def document(leaderboard: Leaderboard) -> str:
    return msgspec.json.format(msgspec.json.encode(leaderboard), indent=1).decode() + "\n"


def write_site(site: Path, leaderboard: Leaderboard, tables: ResultTables, reports: Address) -> Path:
    """Writes the site and returns the path of its first page. Pages of entries that are gone are removed.

    Raises: OSError.
    """
    site.mkdir(parents=True, exist_ok=True)
    (site / ENTRIES).mkdir(exist_ok=True)
    found = pages(leaderboard, reports)
    for name, text in found.items():
        (site / name).write_text(text, encoding="utf-8", newline="\n")
    for old in (site / ENTRIES).glob("*.html"):
        if f"{ENTRIES}/{old.name}" not in found:
            old.unlink()
    write_tables(tables, site / DATA, _TABLES)
    return site / INDEX


def addresses(site: Path, places: dict[str, Path]) -> Address:
    """Address of a report seen from the pages of entries, if it is in the site or beside it.

    ``places``: directory of each experiment by its path in the sources. "Beside": below the parent directory of the
    site, so that both are published together.
    """
    top = site.resolve().parent

    def address(place: str) -> str | None:
        experiment = str(PurePosixPath(place).parent.parent)
        directory = places.get(experiment)
        if directory is None:
            return None
        path = directory.resolve() / "report" / INDEX
        if not path.is_relative_to(top):
            return None
        return quote(Path(os.path.relpath(path, site.resolve() / ENTRIES)).as_posix(), errors="surrogateescape")

    return address


def compare_site(site: Path, leaderboard: Leaderboard, reports: Address) -> list[str]:
    """How the pages of a site differ from those of ``leaderboard``, a line each; tables are not compared."""
    found = pages(leaderboard, reports)
    lines = []
    for name, text in sorted(found.items()):
        try:
            same = (site / name).read_bytes() == text.encode()
        except FileNotFoundError:
            lines.append(f"{site / name}: missing")
            continue
        except OSError as error:
            lines.append(f"{site / name}: {error.strerror}")
            continue
        if not same:
            lines.append(f"{site / name}: differs from its sources")
    extra = sorted(f"{ENTRIES}/{p.name}" for p in (site / ENTRIES).glob("*.html"))
    lines += [f"{site / name}: not in its sources" for name in extra if name not in found]
    return lines
