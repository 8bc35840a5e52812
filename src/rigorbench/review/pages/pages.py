"""The page of a session, the overview of many, and the folder that holds both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ..review import GRADES
from ..reviewed import ReviewedSession
from .html import Page, render
from .places import anchors
from .summary import UNTITLED, SessionRow, summarise
from .tally import SessionsSummary, summary
from .view import SessionView


class SessionPage(Page):
    """The page of one session. ``index_href``: address of the overview, when the page is part of a site."""

    template = "session.html.j2"
    scripts = ("session.js", "common.js", "scrolls.js")
    styles = ("session.css",)

    session: SessionView
    index_href: str | None


class OverviewPage(Page):
    template = "index.html.j2"
    scripts = ("index.js", "common.js", "scrolls.js")
    styles = ("index.css",)

    summary: SessionsSummary
    rows: Sequence[tuple[SessionRow, str | None]]
    """Each session, and the address of its page or None."""
    choices: list[tuple[str, str, list[str]]]
    """By what the list can be narrowed: name, what it says of all, and its values."""
    grades: Sequence[str]
    """Name of each column of a grade; none where no session was read."""
    costs: bool
    untitled: str


class SitePage(Struct):
    """A rendered page that is not written yet: a worker process hands it to the process that writes the site."""

    row: SessionRow
    stem: str
    """The page's file name, not yet made unique."""
    html: str


def render_session(report: ReviewedSession, index_href: str | None = None, *, paper: bool = False) -> str:
    """The page of one session.

    Args:
        index_href: address of the overview, when the page is part of a site.
        paper: show the paper's sub-metrics of any session.
    """
    paper, headline = paper or report.benchmarked, report.benchmarked
    view = SessionView(report, anchors(report), report.review, paper=paper, headline=headline)
    return render(SessionPage(view, index_href))


def render_index(entries: Sequence[tuple[SessionRow, str | None]]) -> str:
    """The overview of many sessions, in the given order.

    ``entries``: (:func:`.summary.summarise` of the report, address of its page or None) each.
    """
    rows = [row for row, _ in entries]
    costs = any(row.cost is not None for row in rows)
    grades = GRADES if any(row.reader is not None for row in rows) else ()
    return render(OverviewPage(summary(rows), entries, _choices(rows), grades, costs, UNTITLED))


def _choices(rows: Sequence[SessionRow]) -> list[tuple[str, str, list[str]]]:
    """By what the list can be narrowed; only what differs."""
    projects = {row.project for row in rows if row.project}
    models = {row.model for row in rows if row.model}
    flags = {flag for row in rows for flag in row.flags}
    all_choices = (
        ("project", "All projects", projects, 2),
        ("model", "All models", models, 2),
        ("flag", "With and without flags", flags, 1),
    )
    return [(name, label, sorted(found)) for name, label, found, least in all_choices if len(found) >= least]


def latest_first(entries: Sequence[tuple[SessionRow, str | None]]) -> list[tuple[SessionRow, str | None]]:
    """Sessions by their date; those without one last, by source."""
    ordered = sorted(entries, key=lambda entry: entry[0].source)
    return sorted(ordered, key=lambda entry: entry[0].date or "", reverse=True)


def render_page(report: ReviewedSession, *, paper: bool = False) -> SitePage:
    """The page of one session for :meth:`SiteWriter.add_page`. ``paper``: as for :func:`render_session`."""
    header = report.score.trajectory
    stem = page_stem(header.agent or header.format, header.id)
    return SitePage(summarise(report), stem, render_session(report, "index.html", paper=paper))


def page_stem(agent: str, id: str) -> str:
    """A file name for the page of a session, without what some file systems do not take."""
    return re.sub(r"[^a-z0-9]+", "-", f"{agent}-{id}".lower()).strip("-")[:80] or "session"


class SiteWriter:
    """Writes a folder with one page per session and, on :meth:`close`, ``index.html`` that links to them.

    Only a line per session is kept in memory, so a corpus of any size streams through.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.directory.mkdir(parents=True, exist_ok=True)
        self._entries: list[tuple[SessionRow, str | None]] = []
        self._names: set[str] = set()

    def add_page(self, page: SitePage) -> Path:
        """Writes a page that :func:`render_page` made, perhaps in another process, and returns its path."""
        name = self._name(page.stem)
        self._entries.append((page.row, name))
        return self._write(name, page.html)

    def close(self) -> Path:
        return self.write_index(latest_first(self._entries))

    def write_index(self, entries: Sequence[tuple[SessionRow, str | None]]) -> Path:
        """Writes the overview of these sessions in the given order."""
        return self._write("index.html", render_index(entries))

    def _write(self, name: str, page: str) -> Path:
        path = self.directory / name
        path.write_text(page, encoding="utf-8", newline="\n")
        return path

    def _name(self, stem: str) -> str:
        """A file name that is unique in this folder, also on file systems that ignore case."""
        name, number = stem, 1
        while name in self._names or name == "index":
            number += 1
            name = f"{stem}-{number}"
        self._names.add(name)
        return f"{name}.html"
