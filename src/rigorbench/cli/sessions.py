"""``rigor sessions``: the agent sessions of this machine, or of logs; how they develop; two beside each other."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.text import count as plural
from ..review.config import Config, load_config
from ..review.history.diff import difference, print_difference
from ..review.history.trends import KINDS, trends
from ..review.history.trends_view import print_trends, render_trends
from ..review.pages.listing import print_sessions, print_summary
from ..review.pages.pages import SitePage, SiteWriter, render_index, render_page
from ..review.pages.summary import UNTITLED, SessionRow
from ..review.pages.tally import summary
from .common import (
    UsageError,
    add_json,
    add_page,
    check_page_options,
    check_site,
    console,
    is_site,
    message,
    messages,
    parser,
    results,
    show_page,
    whole,
    write_json,
    write_page,
)
from .picks import Pick, chosen_sessions, keep, picked
from .rows import Rows, add_choice, nothing, read_rows, rows_of

if TYPE_CHECKING:
    from ..session.logfile import LogFile

SCHEMA = "rigor-sessions/1"
LISTED = 20
_EPILOG = """examples:
  rigor sessions                             your latest sessions on this machine, with flags
  rigor score 3                              the review of number 3 of that list
  rigor sessions --since 4w --project api    of the last four weeks, in repositories with "api" in their path
  rigor sessions --grep "flaky login"        that speak of both words, in messages or commands
  rigor sessions --flag any --sort flags     those with the most flags first (reads all logs)
  rigor sessions --html sessions.html --open  the list as one page
  rigor sessions --html sessions/ --open     and a page for each session in it
  rigor sessions --trends --since 12w --by model   do the models of the last twelve weeks differ?
  rigor sessions --diff 1 4                  two of that list, or two logs, side by side
"""
# What comes first in each order; sessions without the value come last.
_ORDERS: dict[str, Callable[[SessionRow], float | None]] = {
    "flags": lambda row: -(len(set(row.flags)) + min(row.weak, 999) / 1000),
    "grade": lambda row: None if row.overall is None else float(row.overall),
    "duration": lambda row: None if row.seconds is None else -row.seconds,
    "cost": lambda row: None if row.cost is None else -row.cost,
}


def command(arguments: list[str]) -> int:
    p = parser("sessions", "List agent sessions with their flags: those of this machine, or of logs.", _EPILOG)
    add_choice(p)
    p.add_argument(
        "--limit", type=whole("a number of sessions"), default=LISTED, metavar="N",
        help=f"how many to list (default: {LISTED})",
    )  # fmt: skip
    p.add_argument(
        "--sort", choices=("time", *_ORDERS), default="time",
        help="latest first (default); most flags, lowest grade of a reader, longest or dearest first",
    )  # fmt: skip
    p.add_argument(
        "--trends", action="store_true",
        help="flags, and the median grade of what was read, by week, project, model, agent and cost",
    )  # fmt: skip
    p.add_argument("--by", choices=KINDS, action="append", help="of --trends only this; may be repeated (default: all)")
    p.add_argument(
        "--diff", nargs=2, metavar=("A", "B"),
        help="two sessions side by side, logs or numbers of the last list: facts or grades, checks, size, cost",
    )  # fmt: skip
    add_page(p, "write the list as a page (x.html), or into a folder with a page for each session in it", "PATH")
    add_json(p)
    args = p.parse_args(arguments)
    if args.diff is not None:
        return _diff(*args.diff, as_json=args.json)
    if args.by is not None and not args.trends:
        raise UsageError("--by KIND needs --trends")
    if args.html is not None and is_site(args.html) and not args.trends:
        check_site(Path(args.html))
    else:
        check_page_options(args)
    return _trends(args) if args.trends else _list(args)


def _list(args: argparse.Namespace) -> int:
    found = read_rows(args, limit=args.limit if args.sort == "time" else None)
    if not found.rows:
        if args.json:
            write_json(_document(found, []))
        return nothing(found, args)
    key = _ORDERS.get(args.sort)
    if key is None:
        ordered = found.rows
    else:
        known = [(value, row) for row in found.rows if (value := key(row)) is not None]
        known.sort(key=lambda each: each[0])
        ordered = [row for _, row in known] + [row for row in found.rows if key(row) is None]
    rows = ordered[: args.limit]
    if args.json:
        write_json(_document(found, rows))
    elif args.html is None:
        target = console()
        print_summary(summary(rows if args.sort == "time" else found.rows), target)
        target.print()
        print_sessions(rows, target)
        sys.stdout.flush()
        picks = [Pick(str(Path(row.source).absolute()), row.id, row.title or UNTITLED) for row in rows]
        hints = [f"`rigor score {min(3, len(rows))}` reviews number {min(3, len(rows))}"] if keep(picks) else []
        if found.looked < found.logs or len(rows) < len(found.rows):
            hints.append(f"--limit lists more (there are {found.logs:,} logs)")
        if hints:
            target.print("\n" + "; ".join(hints), style="dim", markup=False, soft_wrap=True)
        sys.stdout.flush()
    complete = True
    if args.html is not None and is_site(args.html):
        complete = write_site(rows, Path(args.html), args.jobs)
        if args.open:
            show_page(Path(args.html) / "index.html")
    elif args.html is not None:
        write_page(render_index([(row, None) for row in rows]), args.html, show=args.open)
    return 0 if complete and not found.failed else 1


def _document(found: Rows, rows: list[SessionRow]) -> object:
    return {
        "schema": SCHEMA,
        "logs": found.logs,
        "logs_without_session": found.without,
        "summary": summary(rows),
        "sessions": rows,
    }


def _trends(args: argparse.Namespace) -> int:
    found = read_rows(args)
    if not found.rows:
        return nothing(found, args)
    kinds = tuple(dict.fromkeys(args.by or KINDS))
    if args.html is not None:
        write_page(render_trends(found.rows, kinds), args.html, show=args.open)
    if args.json:
        write_json({"schema": "rigor-trends/1", "trends": trends(found.rows, kinds)})
    elif args.html is None:
        print_trends(trends(found.rows, kinds), console())
    return 1 if found.failed else 0


def _diff(a: str, b: str, *, as_json: bool) -> int:
    found = [_session(path) for path in (a, b)]
    if found[0] is None or found[1] is None:
        return 1
    made = difference(found[0], found[1])
    if as_json:
        write_json({"schema": "rigor-diff/1", "difference": made})
    else:
        print_difference(made, console())
    return 0


def _session(path: str) -> SessionRow | None:
    """The one session that is meant; None: the log cannot be read, which is said. Raises: UsageError."""
    (log,), ids = picked([path])
    rows, problems = rows_of(log)
    for problem in problems:
        message(problem)
    if problems:
        return None
    wanted = [row for row in rows if log not in ids or row.id in ids[log]]
    if len(wanted) == 1:
        return wanted[0]
    if not wanted:
        message(f"{log}: holds no such session; give the log of a session, or run `rigor sessions` again")
        return None
    raise UsageError(f"{path}: holds {len(wanted)} sessions; list them (rigor sessions {path}) and give their numbers")


def write_site(rows: Sequence[SessionRow], target: Path, jobs: int | None) -> bool:
    """Writes a page for each of these sessions, and ``index.html`` with all of them.

    Returns:
        False: a log could not be read, which is said; its session has no page.

    Raises:
        OSError: a page cannot be written.
        Usage: the configuration cannot be used.
    """
    site, problems = SiteWriter(target), list[str]()
    wanted: dict[str, list[str]] = {}
    for row in rows:
        wanted.setdefault(row.source, []).append(row.id)
    names: dict[tuple[str, str], str] = {}
    work = partial(_pages_of, wanted=wanted, config=load_config(Path.cwd()))
    for pages in results(list(wanted), work, problems.append, jobs=jobs, label="pages", total=len(wanted)):
        for source, page in pages:
            names[source, page.row.id] = site.add_page(page).name
    index = site.write_index([(row, names.get((row.source, row.id))) for row in rows])
    messages(problems)
    message(f"pages: {index} ({plural(len(names), 'session')} written)")
    return not problems


def _pages_of(log: LogFile, wanted: dict[str, list[str]], config: Config) -> list[tuple[str, SitePage]]:
    """The path of a log, with the page of each of its sessions that is wanted."""
    from ..bench.rigorscore.reviewing import score_and_review

    source = str(log.path)
    found = chosen_sessions(log, wanted.get(source, []))
    return [(source, render_page(score_and_review(trajectory, config=config))) for trajectory in found]
