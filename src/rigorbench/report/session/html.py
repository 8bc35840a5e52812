"""Self-contained HTML pages: one per session, and an overview of many. Nothing in them is fetched or sent.

All text of a log passes :func:`.sanitize.block` and Jinja's autoescape, whatever template prints it. The pages carry a
content-security policy that allows exactly the style and the script of the page, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
from markupsafe import Markup
from msgspec import Struct

from ...base.sanitize import block
from ...base.version import __version__
from ...metrics.result import PILLAR_TITLES, SessionReport
from ..text import words
from .overview import OverviewRow, overview
from .places import anchors
from .summary import SessionRow, summarise
from .view import session_view, slug


def _finalize(value: Any) -> Any:
    """Applied by Jinja to every value that a template prints: no text gets past it."""
    if value is None:
        return ""
    return block(value) if type(value) is str else value


def _width(share: float) -> str:
    return f"{min(1.0, max(0.0, share)) * 100:.1f}%"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("rigorbench.report"),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(version=__version__, width=_width, count=words.count, slug=slug)
    return environment


@cache
def _static(*names: str) -> str:
    folder = resources.files("rigorbench.report") / "static"
    return "\n".join((folder / name).read_text(encoding="utf-8").strip() for name in names)


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


@cache
def _frame(scripts: tuple[str, ...], *styles: str) -> dict[str, Any]:
    """Style, script and policy of a kind of page: scripts and style sheets of the folder ``static``."""
    css, script = _static("base.css", *styles), _static(*scripts)
    policy = (
        f"default-src 'none'; style-src {_digest(css)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return {"css": Markup(css), "script": Markup(script), "policy": Markup(policy)}


def render(
    template: str, script: str | Sequence[str], styles: Sequence[str], *, talks: bool = False, **values: Any
) -> str:
    """A page: a template of ours, with scripts and style sheets (besides the common one) of the folder ``static``.

    ``talks``: its script may send to the server that the page came from; else to nobody.
    """
    scripts = (script,) if isinstance(script, str) else tuple(script)
    frame = _frame(scripts, *styles)
    if talks:
        frame = {**frame, "policy": frame["policy"] + Markup("; connect-src 'self'")}
    return _environment().get_template(template).render(**frame, **values)


def render_session(report: SessionReport, index_href: str | None = None) -> str:
    """The page of one session. ``index_href``: where the overview is, when the page is part of a site."""
    view = session_view(report, anchors(report.events))
    return render("session.html.j2", ["session.js", "common.js"], ["session.css"], **view, index_href=index_href)


def write_session(report: SessionReport, path: str | os.PathLike[str], index_href: str | None = None) -> None:
    """Writes :func:`render_session` to ``path``. Raises OSError when that cannot be written."""
    _write(Path(path), render_session(report, index_href))


def render_index(entries: Sequence[tuple[SessionRow, str]]) -> str:
    """The overview of many sessions: (:func:`.summary.summarise` of the report, address of its page) each."""
    rows: list[OverviewRow] = overview(entries)
    names = list(PILLAR_TITLES)
    values: dict[str, Any] = {"rows": rows, "pillar_names": names, "pillar_titles": PILLAR_TITLES}
    return render("index.html.j2", ["index.js", "common.js"], ["index.css"], **values)


class Page(Struct):
    """A page of a site, rendered but not yet written: what a worker process hands to the one that writes the site."""

    row: SessionRow
    stem: str
    html: str


def render_page(report: SessionReport) -> Page:
    """The page of one session for :meth:`SiteWriter.add_page`; ``stem`` is its file name, not yet made unique."""
    header = report.score.trajectory
    stem = re.sub(r"[^a-z0-9]+", "-", f"{header.agent or header.format}-{header.id}".lower()).strip("-")[:80]
    return Page(summarise(report), stem or "session", render_session(report, index_href="index.html"))


class SiteWriter:
    """Writes a folder with one page per session and, on :meth:`close`, ``index.html`` that links to them.

    Only a line per session is kept in memory, so a corpus of any size streams through. Also a context manager; after
    an exception the overview still lists the pages that were written.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._entries: list[tuple[SessionRow, str]] = []
        self._names: set[str] = set()

    def add(self, report: SessionReport) -> Path:
        """Writes the page of a session and returns its path."""
        return self.add_page(render_page(report))

    def add_page(self, page: Page) -> Path:
        """Writes a page that :func:`render_page` made, perhaps in another process, and returns its path."""
        name = self._name(page.stem)
        path = self.directory / name
        _write(path, page.html)
        self._entries.append((page.row, name))
        return path

    def close(self) -> Path:
        """Writes the overview and returns its path."""
        path = self.directory / "index.html"
        _write(path, render_index(self._entries))
        return path

    def _name(self, stem: str) -> str:
        """A file name that is unique in this folder, also on file systems that ignore case."""
        name, number = stem, 1
        while name in self._names or name == "index":
            number += 1
            name = f"{stem}-{number}"
        self._names.add(name)
        return f"{name}.html"

    def __enter__(self) -> SiteWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="\n")
