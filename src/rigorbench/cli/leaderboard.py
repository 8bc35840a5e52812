"""``rigor leaderboard``: a static site over many experiments, and whether it is still what its sources give."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .common import Usage, message, parser, write_line

if TYPE_CHECKING:
    from ..experiment.results.read import Tables
    from ..report.leaderboard.model import Leaderboard, Thresholds

_USAGE = """usage: rigor leaderboard COMMAND [ARGUMENTS]

  build SOURCE... --out SITE    write the site (plain files; it needs no server and fetches nothing)
  check SOURCE... --site SITE   whether a site is still what its sources give

SOURCE is an experiment (the --out directory of `rigor run`), a folder of them, Parquet files or a .duckdb file that
`rigor query --export` wrote. `rigor leaderboard COMMAND --help` tells more.
"""
_EPILOG = """examples:
  rigor leaderboard build out/ --out site/
  rigor leaderboard build results.duckdb --out site/ --min-repeats 3 --since 2026-11-01
  rigor leaderboard check out/ --site site/

Exit status 0: done; 1: something could not be read or contradicts itself (one line each; the rest is shown), or a site
is no longer what its sources give; 2: wrong usage.
"""


def command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_USAGE, end="")
        sys.stdout.flush()
        return 0 if arguments else 2
    if arguments[0] not in ("build", "check"):
        raise Usage(f"no command {arguments[0]!r}; one of: build, check")
    try:
        return _build(arguments[1:]) if arguments[0] == "build" else _check(arguments[1:])
    except ModuleNotFoundError as error:
        raise Usage(f"needs {error.name}; pip install 'rigorbench[report]'") from None


def _arguments(name: str, description: str) -> argparse.ArgumentParser:
    p = parser(f"leaderboard {name}", description, _EPILOG)
    p.add_argument("sources", nargs="+", metavar="SOURCE", help="experiments, folders of them, Parquet, .duckdb")
    p.add_argument("--title", default="RigorBench leaderboard", help="heading of the site")
    p.add_argument("--since", type=_date, metavar="DATE", help="new is what was first seen then or later (YYYY-MM-DD)")
    p.add_argument("--min-tasks", type=_count, default=10, metavar="N", help="tasks with a score, to be ranked (10)")
    p.add_argument("--min-repeats", type=_count, default=1, metavar="N", help="scored runs of each of them (1)")
    p.add_argument("--min-coverage", type=_share, default=0.9, metavar="X", help="share of the suite's tasks (0.9)")
    p.add_argument("--min-complete", type=_share, default=0.9, metavar="X", help="share of planned runs (0.9)")
    p.add_argument(
        "--suite",
        action="append",
        default=[],
        metavar="SUITE",
        help="a suite at hand: experiments of it must have its tasks",
    )
    p.add_argument("--json", action="store_true", help="the leaderboard as one JSON document on standard output")
    return p


def _date(value: str) -> datetime:
    try:
        return datetime.strptime(value, "%Y-%m-%d")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is no date (YYYY-MM-DD)") from None


def _count(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError("a number, at least 1")
    return int(value)


def _share(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("a number from 0 to 1")
    return number


class _Told:
    """Passes lines on and counts them."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, line: str) -> None:
        self.lines += 1
        message(line)


def _build(arguments: list[str]) -> int:
    p = _arguments(
        "build", "Write a static site with all entries, the boards on which they compare, and their history."
    )
    p.add_argument("--out", metavar="SITE", help="directory of the site")
    args = p.parse_args(arguments)
    if args.out is None and not args.json:
        raise Usage("give --out SITE, or --json")
    tell = _Told()
    leaderboard, tables, places = _load(args, tell)
    if args.out is not None:
        from ..report.leaderboard.site import addresses, write_site

        site = Path(args.out)
        try:
            index = write_site(site, leaderboard, tables, addresses(site, places))
        except OSError as error:
            raise Usage(f"{error.filename or site}: the site cannot be written ({error.strerror})") from None
        message(f"leaderboard: {index}")
    if args.json:
        import msgspec

        write_line(msgspec.json.encode(leaderboard))
    sys.stdout.flush()
    return 1 if tell.lines else 0


def _load(args: argparse.Namespace, tell: Callable[[str], None]) -> tuple[Leaderboard, Tables, dict[str, Path]]:
    from ..experiment.results.load import read_all
    from ..experiment.results.sources import find_sources
    from ..report.leaderboard.build import build
    from ..report.leaderboard.model import Thresholds
    from .common import tell as progress

    sources = find_sources(args.sources, tell)
    if not sources:
        raise Usage("no results in what was given")
    tables = read_all(sources, tell, progress=lambda done, total: progress("experiments", done, total))
    thresholds: Thresholds = Thresholds(args.min_tasks, args.min_repeats, args.min_coverage, args.min_complete)
    suites = _suites(args.suite)
    leaderboard = build(tables, title=args.title, thresholds=thresholds, since=args.since, suites=suites, tell=tell)
    places: dict[str, Path] = {}
    twice = set()
    for directory, place in sources.experiments:
        if place in places:
            twice.add(place)
        places[place] = directory
    # Two roots may hold experiments of one name: then neither address would be sure.
    return leaderboard, tables, {p: d for p, d in places.items() if p not in twice}


def _suites(names: list[str]) -> dict[str, dict[str, str]]:
    """Digest of each task of the suites that are at hand, pressure variants included, by the digest of the suite."""
    from ..tasks.suite import SuiteError, load_suite

    found: dict[str, dict[str, str]] = {}
    for name in names:
        try:
            suite = load_suite(name)
        except SuiteError as error:
            raise Usage(str(error)) from None
        found[suite.digest] = {t.id: t.digest for task in suite.tasks for t in (task, *task.variants())}
    return found


def _check(arguments: list[str]) -> int:
    p = _arguments("check", "Build the site in memory with the same options, and compare it with what lies there.")
    p.add_argument("--site", required=True, metavar="SITE", help="directory of the site")
    args = p.parse_args(arguments)
    from ..report.leaderboard.site import addresses, compare_site

    site = Path(args.site)
    if not site.is_dir():
        raise Usage(f"{site}: no such directory")
    tell = _Told()
    leaderboard, _, places = _load(args, tell)
    found = compare_site(site, leaderboard, addresses(site, places))
    if args.json:
        import msgspec

        write_line(
            msgspec.json.encode({"schema": "rigor-leaderboard-check/1", "same": not found, "differences": found})
        )
    for line in found:
        message(line)
    if not found and not args.json:
        print(f"{site}: as its sources give it")
    sys.stdout.flush()
    return 1 if found or tell.lines else 0
