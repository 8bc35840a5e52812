"""The sessions that ``rigor sessions``, ``trends`` and ``advise`` speak of: found, reviewed or remembered, filtered."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import re
import time
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ..base.cache import cache_directory
from ..base.files import read_json, replace_file
from ..base.version import __version__
from ..bench.corpus.identity import Stamp, stamp
from ..review.catalogue import all_checks
from ..review.config import Config, known_check, load_config
from ..review.pages.summary import SessionRow, summarise
from ..session.discovery import FileTally
from ..session.formats import FOLDERS, unread_stores, unreadable
from ..session.logfile import LogError, LogFile
from ..session.registry import discover, read_log, user_logs
from .common import UsageError, add_jobs, existing_directory, message, messages, results
from .texts import matching

_SOURCES = frozenset((".py", ".toml", ".j2", ".css", ".js"))
# Files of configurations that nobody has used for so long are removed.
_KEPT_SECONDS = 60 * 24 * 3600.0


class _Entry(Struct):
    """The rows of a log. ``further``: other files of it, relative to its directory."""

    stamp: Stamp
    further: list[str]
    rows: list[SessionRow]


class _Stored(Struct):
    program: str
    logs: dict[str, _Entry] = field(default_factory=dict)


def cached_directory() -> Path:
    """Where rows and the last list are kept; it may be deleted at any time."""
    return cache_directory().with_name("sessions")


class RowCache:
    """Rows by the path, size and time of their log, for one configuration and one version of the program.

    What cannot be read or written is only slower: it raises nothing.
    """

    def __init__(self, config: Config) -> None:
        digest = sha256(msgspec.json.encode(config, order="sorted")).hexdigest()[:16]
        self._read = config.reader is not None
        self._path = cached_directory() / f"rows-{digest}.json"
        self._stored = read_json(self._path, _Stored) or _Stored("")
        if self._stored.program != _program():
            self._stored = _Stored(_program())
        self._changed = False

    def get(self, path: Path) -> list[SessionRow] | None:
        """The rows of a log; None: it was not read before, or has changed since."""
        entry = self._stored.logs.get(_key(path))
        if entry is None or entry.stamp != _stamp(path, entry.further):
            return None
        if self._read and any(row.overall is None for row in entry.rows):
            return None  # an answer of the reader may be there by now
        return entry.rows

    def put(self, path: Path, before: Stamp | None, further: list[str], rows: list[SessionRow]) -> None:
        """Keeps the rows of a log. ``before``: its stamp before it was read; what changed meanwhile is not kept."""
        now = _stamp(path, further)
        if before is not None and now is not None and before == _stamp(path, []):
            self._stored.logs[_key(path)] = _Entry(now, further, rows)
            self._changed = True

    def save(self) -> None:
        """Writes what was put, without the logs that are gone."""
        if not self._changed:
            return
        self._stored.logs = {key: entry for key, entry in self._stored.logs.items() if os.path.exists(key)}
        with contextlib.suppress(OSError):
            replace_file(self._path, msgspec.json.encode(self._stored), 0o600)
            for other in self._path.parent.glob("rows-*.json"):
                if time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                    other.unlink()
        self._changed = False


def _stamp(path: Path, further: list[str]) -> Stamp | None:
    """The stamp of a log as it is now; None: it cannot be accessed."""
    try:
        return stamp(path, further)
    except OSError:
        return None


def _key(path: Path) -> str:
    return os.path.abspath(path)


def _program() -> str:
    """The version; in a checkout also when its files were last changed."""
    package = Path(__file__).parent.parent
    try:
        changed = max(f.stat().st_mtime_ns for f in package.rglob("*") if f.suffix in _SOURCES)
    except (OSError, ValueError):
        changed = 0
    return f"{__version__} {changed}"


_AGO = re.compile(r"(\d{1,5})([dw])")
# So many logs are read at once before it is looked whether the latest are complete.
_BATCH = 32
# A log to read; and its last change in epoch seconds, for logs in the folder of their agent.
_Log = tuple[Path, float | None]
# What a log without a session says; in the folders of agents such logs are common and no failure.
_EMPTY = ("is empty", "contains no session")


class Rows(Struct):
    """What was read."""

    rows: list[SessionRow] = field(default_factory=list)
    """The sessions that the options choose, latest first."""
    logs: int = 0
    """How many there are; ``looked``: at how many of them; ``without``: logs without a session."""
    looked: int = 0
    without: int = 0
    failed: bool = False
    """Whether a log could not be read."""


def add_choice(p: argparse.ArgumentParser) -> None:
    """Adds PATH, --since, --project, --model, --agent, --flag, --grep, --home and --jobs."""
    p.add_argument("paths", nargs="*", metavar="PATH", help="logs; default: the sessions of this user on this machine")
    p.add_argument("--since", type=_since, metavar="WHEN", help="only sessions from then on: 2026-11-01, 7d, 4w")
    p.add_argument("--project", metavar="TEXT", help="only sessions whose repository has TEXT in its path")
    p.add_argument("--model", metavar="TEXT", help="only sessions of models with TEXT in their name")
    p.add_argument("--agent", metavar="TEXT", help="only sessions of agents with TEXT in their name")
    p.add_argument("--flag", metavar="CHECK", help="only sessions in which this check fired; any: with any flag")
    p.add_argument("--grep", metavar="WORDS", help="only sessions in whose messages and commands all these words begin")
    p.add_argument("--home", type=existing_directory, metavar="DIR", help="search another home directory")
    add_jobs(p)


def read_rows(args: argparse.Namespace, limit: int | None = None) -> Rows:
    """The sessions that the options of :func:`add_choice` choose.

    ``limit``: of the sessions of this machine only so many are needed, the latest. Raises: UsageError.
    """
    flag = args.flag
    if flag is not None:
        flag = {id.lower(): id for id in all_checks()}.get(flag.lower(), flag.lower())
        known_check(flag, "--flag", ("any",))
    since = None if args.since is None else args.since.timestamp()

    def chosen(row: SessionRow) -> bool:
        if args.grep is not None and (row.source, row.id) not in hits:
            return False
        if since is not None and (row.moment or 0.0) < since:
            return False
        if flag == "any" and not row.flags:
            return False
        if flag not in (None, "any") and all(check.id != flag for check in row.checks):
            return False
        named = ((args.project, row.root), (args.model, row.model), (args.agent, row.agent_name))
        return all(text is None or text.lower() in (name or "").lower() for text, name in named)

    settings = load_config(Path.cwd())
    logs, found = _logs(args)
    hits: set[tuple[str, str]] = set()
    if args.grep is not None:
        hits = matching([path for path, _ in logs], args.grep, cached_directory() / "texts.db", args.jobs)
        logs = [log for log in logs if any(str(log[0]) == path for path, _ in hits)]
    limit = None if args.paths else limit
    cache = RowCache(settings)
    times: list[float] = []
    try:
        while found.looked < len(logs):
            changed, latest = logs[found.looked][1], sorted(times, reverse=True)[: limit or 0]
            # No log that is left can have one of the latest sessions: none began after its file's last change.
            if changed is not None and latest and len(latest) == limit and latest[-1] >= changed:
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
    # Repositories of the same name get the folder above as well.
    from ..review.pages.project import project_names

    names = project_names({row.root for row in found.rows if row.root is not None})
    for row in found.rows:
        if row.root is not None:
            row.project = names[row.root]
    return found


def rows_of(path: str) -> tuple[list[SessionRow], list[str]]:
    """The sessions of one log, and messages about what failed. Raises: UsageError."""
    rows: list[SessionRow] = []
    problems: list[str] = []
    work = partial(_rows_of, config=load_config(Path.cwd()))
    for result in results([path], work, problems.append, jobs=1, label="reading sessions"):
        rows += result[-1]
    return rows, problems


def nothing(found: Rows, args: argparse.Namespace) -> int:
    """Says why there is no session, and what to do. Returns the exit status."""
    if found.failed and not found.logs:
        return 1
    if args.paths:
        where = " ".join(args.paths[:3])
        if not found.logs or (found.looked and found.looked == found.without):
            message(f"no session in {where}; give logs or folders of logs, or see `rigor doctor --formats`")
        else:
            message(f"no session of {where} is chosen; leave out an option (--since, --project, ...)")
    elif not found.logs:
        home = args.home or Path.home()
        message(f"no agent sessions found in {home}; give a path, or see docs/formats.md for the places")
    else:
        message(f"none of {found.logs:,} logs has such a session; leave out an option (--since, --project, ...)")
    return 1


def _logs(args: argparse.Namespace) -> tuple[list[_Log], Rows]:
    """The logs, those of this machine by their last change, latest first."""
    found = Rows()
    logs: list[_Log] = []
    if args.paths:
        for log in discover(args.paths, FileTally(on_suspicious=message)):
            if isinstance(log, LogError):
                message(str(log))
                found.failed = True
            elif log.path is None:
                raise UsageError("-: a list of sessions needs files; write standard input into one")
            else:
                logs.append((log.path, None))
    else:
        home = (args.home or Path.home()).absolute()
        for directory in unreadable(FOLDERS, home):
            message(f"{directory}: cannot be read; give yourself access to it (chmod u+rx)")
            found.failed = True
        messages([*unread_stores(home)])
        since = args.since.timestamp() if args.since is not None else 0.0
        logs = [(path, changed) for _, path, changed in user_logs(home) if changed >= since]
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
        for result in results(fresh, work, problems.append, jobs=jobs, label="reading sessions", total=len(fresh)):
            cache.put(*result)
            known[str(result[0])] = result[-1]
    for path, changed in batch:
        rows = known[str(path)]
        found.without += rows == []
        for row in rows or ():
            row.changed = changed
            yield row
    found.failed = found.failed or bool(problems)
    messages(problems)


def _rows_of(log: LogFile, config: Config) -> tuple[Path, Stamp | None, list[str], list[SessionRow]]:
    """What the cache keeps of a log."""
    from ..bench.rigorscore.reviewing import score_and_review

    assert log.path is not None
    before = _stamp(log.path, [])
    rows = []
    try:
        for trajectory in read_log(log):
            rows.append(summarise(score_and_review(trajectory, config=config, measure=False)))
            rows[-1].source = str(log.path)  # what a command takes, also where the session is a file in a folder
    except LogError as error:
        if not error.reason.startswith(_EMPTY):
            raise
    further = [os.path.relpath(path, log.path.parent) for path in log.siblings]
    return log.path, before, further, rows


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
