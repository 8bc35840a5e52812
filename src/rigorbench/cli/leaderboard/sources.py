"""What the commands of ``rigor leaderboard`` share: their options, and the leaderboard made from the sources."""

from __future__ import annotations

import argparse
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, decimal, message, parser, show_progress, whole

if TYPE_CHECKING:
    from ...experiment.results.read import Tables
    from ...report.leaderboard.model import Leaderboard

_EPILOG = """examples:
  rigor leaderboard build out/ --out site/
  rigor leaderboard build results.duckdb --out site/ --min-repeats 3 --since 2026-11-01
  rigor leaderboard check out/ --site site/

Exit status: 0 done; 1 something could not be read or contradicts itself (one line each; the rest is shown), or a site
no longer matches its sources; 2 wrong usage.
"""


class Problems:
    """Reports problems on stderr and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, line: str) -> None:
        self.count += 1
        message(line)


def options(name: str, description: str) -> argparse.ArgumentParser:
    """The parser of a command, with the options that decide what is on the site."""
    share, number = decimal(0, 1, "a number from 0 to 1"), whole("a number")
    p = parser(f"leaderboard {name}", description, _EPILOG)
    p.add_argument("sources", nargs="+", metavar="SOURCE", help="experiments, folders of them, Parquet, .duckdb")
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
    return p


def _date(value: str) -> datetime:
    try:
        return datetime.strptime(value, "%Y-%m-%d")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is not a date (YYYY-MM-DD)") from None


def load(args: argparse.Namespace, problems: Problems) -> tuple[Leaderboard, Tables, dict[str, Path]]:
    """The leaderboard, the tables behind it, and the directory of each experiment by its path in the sources."""
    from ...experiment.results.load import read_all
    from ...experiment.results.sources import find_sources
    from ...report.leaderboard.build import build
    from ...report.leaderboard.model import Thresholds

    sources = find_sources(args.sources, problems)
    if not sources:
        raise Usage("the sources contain no results")
    tables = read_all(sources, problems, progress=partial(show_progress, "experiments"))
    thresholds = Thresholds(args.min_tasks, args.min_repeats, args.min_coverage, args.min_complete)
    suites = _suites(args.suite)
    leaderboard = build(tables, title=args.title, thresholds=thresholds, since=args.since, suites=suites, tell=problems)
    paths = [path for _, path in sources.experiments]
    # With the same path in two roots, a link could lead to the wrong report.
    return leaderboard, tables, {path: d for d, path in sources.experiments if paths.count(path) == 1}


def _suites(names: list[str]) -> dict[str, dict[str, str]]:
    """Digest of each task of these suites, pressure variants included, by the digest of the suite."""
    from ...tasks.suite import SuiteError, load_suite

    found: dict[str, dict[str, str]] = {}
    for name in names:
        try:
            suite = load_suite(name)
        except SuiteError as error:
            raise Usage(str(error)) from None
        found[suite.digest] = {t.id: t.digest for task in suite.tasks for t in (task, *task.variants())}
    return found
