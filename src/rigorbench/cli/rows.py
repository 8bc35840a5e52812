"""The sessions that ``rigor sessions``, ``trends`` and ``advise`` speak of: found, reviewed or remembered, filtered."""

from __future__ import annotations

import argparse
import datetime
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from .common import Usage, add_jobs, existing_directory, message, messages, over_logs

if TYPE_CHECKING:
    from ..bench.corpus.identity import Stamp
    from ..review.config import Config
    from ..review.pages.summary import SessionRow
    from ..session.logfile import LogFile
    from .row_cache import RowCache

_AGO = re.compile(r"(\d{1,5})([dw])")
# So many logs are read at once before it is looked whether the latest are complete.
_BATCH = 32
# A log to read; and its last change in epoch seconds, for logs in the folder of their agent.
_Log = tuple[Path, float | None]
# What a log without a session says; in the folders of agents such logs are common and no failure.
_EMPTY = ("is empty", "contains no session")


class Rows(Struct):
    """What was read.

    Attributes:
        rows: the sessions that the options choose, latest first.
        logs: how many logs there are; ``looked``: how many of them were looked at.
        without: logs without a session.
        failed: whether a log could not be read.
    """

    rows: list[SessionRow] = field(default_factory=list)
    logs: int = 0
    looked: int = 0
    without: int = 0
    failed: bool = False


class _Result(Struct):
    path: str
    before: Stamp | None
    further: list[str]
    rows: list[SessionRow]


def add_choice(p: argparse.ArgumentParser) -> None:
    """Adds PATH, --since, --project, --model, --agent, --flag, --home and --jobs."""
    p.add_argument("paths", nargs="*", metavar="PATH", help="logs; default: the sessions of this user on this machine")
    p.add_argument("--since", type=_since, metavar="WHEN", help="only sessions from then on: 2026-11-01, 7d, 4w")
    p.add_argument("--project", metavar="TEXT", help="only sessions whose repository has TEXT in its path")
    p.add_argument("--model", metavar="TEXT", help="only sessions of models with TEXT in their name")
    p.add_argument("--agent", metavar="TEXT", help="only sessions of agents with TEXT in their name")
    p.add_argument("--flag", metavar="CHECK", help="only sessions in which this check fired; any: with any flag")
    p.add_argument("--home", type=existing_directory, metavar="DIR", help="search another home directory")
    add_jobs(p)


def read_rows(args: argparse.Namespace, limit: int | None = None) -> Rows:
    """The sessions that the options of :func:`add_choice` choose.

    Args:
        limit: of the sessions of this machine only so many are needed, the latest.

    Raises:
        Usage: there is no such check, or the configuration cannot be used.
    """
    from .row_cache import RowCache

    chosen = _chosen(args)
    settings = config()
    logs, found = _logs(args)
    limit = None if args.paths else limit
    cache = RowCache(settings)
    times: list[float] = []
    try:
        while found.looked < len(logs):
            if limit is not None and _complete(times, limit, logs[found.looked][1]):
                break
            batch = logs[found.looked : found.looked + (len(logs) if limit is None else max(_BATCH, limit))]
            for row in _read(batch, found, cache, settings, args.jobs):
                if chosen(row):
                    found.rows.append(row)
                    times.append(row.moment or 0.0)
            found.looked += len(batch)
    finally:
        cache.save()
    found.rows.sort(key=lambda row: row.source)
    found.rows.sort(key=lambda row: row.moment or 0.0, reverse=True)
    _name_projects(found.rows)
    return found


def rows_of(path: str) -> tuple[list[SessionRow], list[str]]:
    """The sessions of one log, and messages about what failed.

    Raises:
        Usage: the configuration cannot be used.
    """
    rows: list[SessionRow] = []
    problems: list[str] = []
    for result, failures in over_logs([path], partial(_rows_of, config=config()), jobs=1, label="reading sessions"):
        rows += result.rows if result is not None else []
        problems += failures
    return rows, problems


def nothing(found: Rows, args: argparse.Namespace) -> int:
    """Says why there is no session, and what to do. Returns the exit status."""
    if found.failed and not found.logs:
        return 1
    if args.paths:
        where = " ".join(args.paths[:3])
        if found.looked in (0, found.without):
            message(f"no session in {where}; give logs or folders of logs, or see `rigor doctor --formats`")
        else:
            message(f"no session of {where} is chosen; leave out an option (--since, --project, ...)")
    elif not found.logs:
        home = args.home or Path.home()
        message(f"no agent sessions found in {home}; give a path, or see docs/formats.md for the places")
    else:
        message(f"none of {found.logs:,} logs has such a session; leave out an option (--since, --project, ...)")
    return 1


def _complete(times: list[float], limit: int, next_changed: float | None) -> bool:
    """Whether no log that is left can have one of the latest sessions: none began after its file's last change."""
    if len(times) < limit or next_changed is None:
        return False
    return sorted(times, reverse=True)[limit - 1] >= next_changed


def _logs(args: argparse.Namespace) -> tuple[list[_Log], Rows]:
    """The logs, those of this machine by their last change, latest first."""
    from ..session.discovery import Tally
    from ..session.formats import FOLDERS, find_sessions, unreadable
    from ..session.logfile import LogError
    from ..session.registry import discover

    found = Rows()
    logs: list[_Log] = []
    if args.paths:
        for log in discover(args.paths, Tally(on_suspicious=message)):
            if isinstance(log, LogError):
                message(str(log))
                found.failed = True
            elif log.path is None:
                raise Usage("-: a list of sessions needs files; write standard input into one")
            else:
                logs.append((log.path, None))
    else:
        home, folders = (args.home or Path.home()).absolute(), FOLDERS
        for directory in unreadable(folders, home):
            message(f"{directory}: cannot be read; give yourself access to it (chmod u+rx)")
            found.failed = True
        since = args.since.timestamp() if args.since is not None else 0.0
        logs = [(path, changed) for _, path, changed in find_sessions(folders, home) if changed >= since]
        logs.sort(key=lambda log: (-(log[1] or 0.0), str(log[0])))
    found.logs = len(logs)
    return logs, found


def _read(batch: list[_Log], found: Rows, cache: RowCache, config: Config, jobs: int | None) -> Iterator[SessionRow]:
    """The rows of logs: from the cache, or read now."""
    known = {str(path): cache.get(path) for path, _ in batch}
    fresh = [path for path, rows in known.items() if rows is None]
    problems: list[str] = []
    if fresh:
        work = partial(_rows_of, config=config)
        for result, failures in over_logs(fresh, work, jobs=jobs, label="reading sessions", total=len(fresh)):
            problems += failures
            if result is not None:
                cache.put(Path(result.path), result.before, result.further, result.rows)
                known[result.path] = result.rows
    for path, changed in batch:
        rows = known[str(path)]
        found.without += rows == []
        for row in rows or ():
            row.changed = changed
            yield row
    found.failed = found.failed or bool(problems)
    messages(problems)


def config() -> Config:
    """The configuration of the directory that rigor runs in. Raises: Usage."""
    from ..review.config import ConfigError, load_config

    try:
        return load_config(Path.cwd())
    except ConfigError as error:
        raise Usage(str(error)) from None


def _rows_of(log: LogFile, config: Config) -> _Result:
    from ..bench.rigorscore.reviewing import score_and_review
    from ..review.pages.summary import summarise
    from ..session.logfile import LogError
    from ..session.registry import read_log
    from .row_cache import stamp_of

    assert log.path is not None
    before = stamp_of(log.path)
    rows = []
    try:
        for trajectory in read_log(log):
            rows.append(summarise(score_and_review(trajectory, config=config, measure=False)))
            rows[-1].source = str(log.path)  # what a command takes, also where the session is a file in a folder
    except LogError as error:
        if not error.reason.startswith(_EMPTY):
            raise
    further = [os.path.relpath(path, log.path.parent) for path in log.siblings]
    return _Result(str(log.path), before, further, rows)


def _chosen(args: argparse.Namespace) -> Callable[[SessionRow], bool]:
    """Whether the options choose a session.

    Raises:
        Usage: there is no such check.
    """
    flag = None if args.flag is None else _check(args.flag)
    since = None if args.since is None else args.since.timestamp()

    def chosen(row: SessionRow) -> bool:
        if since is not None and (row.moment or 0.0) < since:
            return False
        if flag == "any" and not row.flags:
            return False
        if flag not in (None, "any") and all(check.id != flag for check in row.checks):
            return False
        named = ((args.project, row.root), (args.model, row.model), (args.agent, row.agent_name))
        return all(text is None or text.lower() in (name or "").lower() for text, name in named)

    return chosen


def _check(name: str) -> str:
    from ..review.catalogue import all_checks
    from ..review.explain import nearest

    if name.lower() == "any":
        return "any"
    known = {id.lower(): id for id in all_checks()}
    if name.lower() not in known:
        near = [id for id in nearest(name) if id in all_checks()]
        hint = f"the nearest: {', '.join(near)}" if near else "`rigor explain` lists them"
        raise Usage(f"--flag {name}: there is no such check; {hint}")
    return known[name.lower()]


def _since(value: str) -> datetime.datetime:
    """A day, or so many days or weeks ago. Raises: ArgumentTypeError."""
    ago = _AGO.fullmatch(value)
    try:
        if ago:
            days = int(ago[1]) * (7 if ago[2] == "w" else 1)
            return datetime.datetime.fromtimestamp(time.time(), datetime.UTC) - datetime.timedelta(days=days)
        return datetime.datetime.fromisoformat(value).replace(tzinfo=datetime.UTC)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{value}: a day (2026-11-01), or days or weeks back (7d, 4w)") from None


def _name_projects(rows: list[SessionRow]) -> None:
    """Repositories of the same name get the folder above as well."""
    from ..review.pages.project import project_names

    names = project_names({row.root for row in rows if row.root is not None})
    for row in rows:
        if row.root is not None:
            row.project = names[row.root]
