"""``rigor sessions --html DIR``: the list as a page, and a page for each session in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from ..base.files import read_json, replace_file
from ..base.text import count as plural
from .common import message, messages, over_logs
from .rows import RowCache

if TYPE_CHECKING:
    from ..review.config import Config
    from ..review.pages.summary import SessionRow
    from ..session.logfile import LogFile

_RECORD = "pages.json"
_Key = tuple[str, str]


class _Written(Struct):
    """What a folder has: names of pages, and the state of the log that each was made from."""

    pages: dict[str, str] = field(default_factory=dict)


def write_site(rows: Sequence[SessionRow], target: Path, jobs: int | None) -> bool:
    """Writes ``index.html`` and the pages of these sessions, but for pages whose log has not changed since.

    Returns:
        False: a log could not be read, which is said; its session has no page.

    Raises:
        OSError: a page cannot be written.
        Usage: the configuration cannot be used.
    """
    from ..review.config import load_config
    from ..review.pages.pages import render_index

    target.mkdir(parents=True, exist_ok=True)
    chosen = load_config(Path.cwd())
    cache, written = RowCache(chosen), read_json(target / _RECORD, _Written) or _Written()
    states = {row.source: cache.state(Path(row.source)) for row in rows}
    names = {_key(row): _name(row) for row in rows}
    missing: dict[str, list[str]] = {}
    for row in rows:
        name, state = names[_key(row)], states[row.source]
        if state is None or written.pages.get(name) != state or not (target / name).exists():
            missing.setdefault(row.source, []).append(row.id)
    problems: list[str] = []
    made: set[_Key] = set()
    work = partial(_pages_of, wanted=missing, config=chosen)
    try:
        for pages, failures in over_logs(list(missing), work, jobs=jobs, label="pages", total=len(missing)):
            problems += failures
            for source, id, html in pages or ():
                name, state = names[source, id], states[source]
                (target / name).write_text(html, encoding="utf-8", newline="\n")
                made.add((source, id))
                written.pages.pop(name, None)
                if state is not None:
                    written.pages[name] = state
    finally:
        replace_file(target / _RECORD, msgspec.json.encode(written))
    without = {(source, id) for source, ids in missing.items() for id in ids} - made
    index = render_index([(row, None if _key(row) in without else names[_key(row)]) for row in rows])
    (target / "index.html").write_text(index, encoding="utf-8", newline="\n")
    messages(problems)
    kept = len(names) - len(made) - len(without)
    unchanged = f", {kept} unchanged" if kept else ""
    message(f"pages: {target / 'index.html'} ({plural(len(made), 'session')} written{unchanged})")
    return not problems


def _pages_of(log: LogFile, wanted: dict[str, list[str]], config: Config) -> list[tuple[str, str, str]]:
    """(path of the log, session, page) of each session of a log that is wanted."""
    from ..bench.rigorscore.reviewing import score_and_review
    from ..review.pages.pages import render_session
    from ..session.registry import read_log
    from .picks import chosen_sessions

    source = str(log.path)
    found = []
    for trajectory in chosen_sessions(read_log(log), wanted.get(source, [])):
        report = score_and_review(trajectory, config=config)
        found.append((source, trajectory.id, render_session(report, "index.html")))
    return found


def _key(row: SessionRow) -> _Key:
    return row.source, row.id


def _name(row: SessionRow) -> str:
    """The same on each call, so that a page is found again; and unique, also where case does not count."""
    from ..review.pages.pages import page_stem

    digest = sha256(f"{row.source}\0{row.id}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{page_stem(row.agent_name, row.id)[:60]}-{digest}.html"
