"""The site of a leaderboard: a page of all entries, a page for each, the same as JSON, and the tables behind it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import msgspec

from ...experiment.results.parquet import write_tables
from ...experiment.results.read import Tables
from ...experiment.results.sources import DATA, SITE
from ..pages import render
from .entry import entry_page
from .model import Leaderboard
from .view import leaderboard_page

INDEX = "index.html"
ENTRIES = "entries"
_TABLES = ("experiments", "tasks", "runs")


def pages(leaderboard: Leaderboard, reports: Callable[[str], str | None]) -> dict[str, str]:
    """Page by its place in the site.

    ``reports``: address of the file in a place of the sources, seen from ``entries/``; None: it is not beside
    the site.
    """
    found = {INDEX: render(leaderboard_page(leaderboard)), SITE: document(leaderboard)}
    series = leaderboard.series()
    for board in leaderboard.boards:
        for entry in board.entries:
            found[entry.page] = render(entry_page(leaderboard, board, entry, series[entry.key.series], reports))
    return found


def document(leaderboard: Leaderboard) -> str:
    return msgspec.json.format(msgspec.json.encode(leaderboard), indent=1).decode() + "\n"


def write_site(
    site: Path,
    leaderboard: Leaderboard,
    tables: Tables,
    reports: Callable[[str], str | None],
) -> Path:
    """Writes the site and returns the path of its first page. Pages of entries that are gone are removed.

    Raises: OSError.
    """
    site.mkdir(parents=True, exist_ok=True)
    (site / ENTRIES).mkdir(exist_ok=True)
    found = pages(leaderboard, reports)
    for name, text in found.items():
        write(site / name, text)
    for old in (site / ENTRIES).glob("*.html"):
        if f"{ENTRIES}/{old.name}" not in found:
            old.unlink()
    write_tables(tables, site / DATA, _TABLES)
    return site / INDEX


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def addresses(site: Path, places: dict[str, Path]) -> Callable[[str], str | None]:
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


def compare_site(site: Path, leaderboard: Leaderboard, reports: Callable[[str], str | None]) -> list[str]:
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
