"""``rigor leaderboard``: a static site over many experiments, and whether it still matches its sources."""

from __future__ import annotations

import argparse
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..bench.tasks.suite import load_suite
from .common import Problems, UsageError, add_json, decimal, message, parser, show_progress, whole, write_json

if TYPE_CHECKING:
    from ..bench.experiment.results.read import ResultTables
    from ..bench.pages.leaderboard.board import Leaderboard

_EPILOG = """examples:
  rigor leaderboard out/ --out site/
  rigor leaderboard results.duckdb --out site/ --min-repeats 3 --since 2026-11-01
  rigor leaderboard out/ --out site/ --check       whether the site still matches its sources

SOURCE is an experiment (the --out directory of `rigor run`), a folder of experiments, or Parquet files or a .duckdb
file that `rigor query --export` wrote. The site is plain files; it needs no server and loads nothing.
Exit status: 0 done; 1 something could not be read or contradicts itself (one line each; the rest is shown), or a site
no longer matches its sources; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    share, number = decimal(0, 1, "a number from 0 to 1"), whole("a number")
    p = parser(
        "leaderboard",
        "Write a static site with all entries, the boards on which they are comparable, and their history.",
        _EPILOG,
    )
    p.add_argument("sources", nargs="+", metavar="SOURCE", help="experiments, folders of them, Parquet, .duckdb")
    p.add_argument("--out", type=Path, metavar="SITE", help="directory of the site")
    p.add_argument("--check", action="store_true", help="write nothing; compare the files in SITE with a new site")
    p.add_argument("--title", default="RigorBench leaderboard", help="heading of the site")
    p.add_argument("--since", type=_date, metavar="DATE", help="mark entries as new from this date on (YYYY-MM-DD)")
    p.add_argument("--min-tasks", type=number, default=10, metavar="N", help="tasks with a score, to be ranked (10)")
    p.add_argument("--min-repeats", type=number, default=1, metavar="N", help="scored runs of each of these tasks (1)")
    p.add_argument("--min-coverage", type=share, default=0.9, metavar="X", help="share of the suite's tasks (0.9)")
    p.add_argument("--min-complete", type=share, default=0.9, metavar="X", help="share of planned runs (0.9)")
    p.add_argument(
        "--suite", action="append", default=[], metavar="SUITE",
        help="an available suite: experiments that name it must have its tasks",
    )  # fmt: skip
    add_json(p, "print the result as one JSON document")
    args = p.parse_args(arguments)
    if args.out is None and (args.check or not args.json):
        raise UsageError("give --out SITE, or --json")
    if args.check and not args.out.is_dir():
        raise UsageError(f"{args.out}: no such directory")
    problems = Problems()
    leaderboard, tables, directories = _load(args, problems)
    good = True
    if args.check:
        from ..bench.pages.leaderboard.pages import addresses, compare_site

        found = compare_site(args.out, leaderboard, addresses(args.out, directories))
        if args.json:
            write_json({"schema": "rigor-leaderboard-check/1", "same": not found, "differences": found})
        for line in found:
            message(line)
        if not found and not args.json:
            print(f"{args.out}: matches its sources")
        good = not found
    elif args.out is not None:
        from ..bench.pages.leaderboard.pages import addresses, write_site

        try:
            index = write_site(args.out, leaderboard, tables, addresses(args.out, directories))
        except OSError as error:
            raise UsageError(f"{error.filename or args.out}: the site cannot be written ({error.strerror})") from None
        message(f"leaderboard: {index}")
    if args.json and not args.check:
        write_json(leaderboard)
    return 0 if good and not problems.count else 1


def _date(value: str) -> datetime:
    try:
        return datetime.strptime(value, "%Y-%m-%d")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a date (YYYY-MM-DD)") from None


def _load(args: argparse.Namespace, problems: Problems) -> tuple[Leaderboard, ResultTables, dict[str, Path]]:
    """The leaderboard, the tables behind it, and the directory of each experiment by its path in the sources."""
    from ..bench.experiment.results.database import read_all
    from ..bench.experiment.results.sources import find_sources
    from ..bench.pages.leaderboard.board import Thresholds
    from ..bench.pages.leaderboard.build import build

    sources = find_sources(args.sources, problems)
    if not sources:
        raise UsageError("the sources contain no results")
    tables = read_all(sources, problems, progress=partial(show_progress, "experiments"))
    thresholds = Thresholds(args.min_tasks, args.min_repeats, args.min_coverage, args.min_complete)
    suites = {
        suite.digest: {t.id: t.digest for task in suite.tasks for t in (task, *task.variants())}
        for suite in map(load_suite, args.suite)
    }
    leaderboard = build(tables, title=args.title, thresholds=thresholds, since=args.since, suites=suites, tell=problems)
    paths = [path for _, path in sources.experiments]
    # With the same path in two roots, a link could lead to the wrong report.
    return leaderboard, tables, {path: d for d, path in sources.experiments if paths.count(path) == 1}
