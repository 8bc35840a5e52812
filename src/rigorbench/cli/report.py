"""``rigor report``: the tables, the figure and the pages of experiments, from what lies on disk; and their check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..report.tables.model import FORMATS
from .common import Usage, existing_directory, message, parser, write_line

if TYPE_CHECKING:
    from ..report.tables.build import Report

# Lines about runs that cannot be read.
_PROBLEMS = 20
INSTALL = "pip install 'rigorbench[report]'"
_EPILOG = """examples:
  rigor report out/bench                           print the tables, write them, the figure and the pages
  rigor report out/bench --format md,csv           no LaTeX and no pages
  rigor report out/mon out/tue --out out/both      both as one, if they may be compared
  rigor report out/bench --check                   fail when out/bench/report no longer equals its runs
  rigor report out/bench --json | jq '.tables[] | {name, rows}'
"""


def command(arguments: list[str]) -> int:
    args = _arguments().parse_args(arguments)
    runs: list[Path] = args.runs
    if not runs:
        raise Usage("no experiment; give the --out directories of `rigor run` (before --check)")
    from ..experiment.store import MANIFEST

    for out in runs:
        if not (out / MANIFEST).exists():
            raise Usage(f"{out}: no {MANIFEST}; give the --out directory of a `rigor run`")
    try:
        return _check(runs, args.check) if args.check is not None else _report(runs, args)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("rigorbench"):
            raise
        raise Usage(f"{error.name}: not installed; {INSTALL}") from None


def _arguments() -> argparse.ArgumentParser:
    p = parser(
        "report",
        "Print the tables of experiments that `rigor run` made, and write them with the figure and the pages. "
        "Needs no engine, model or network.",
        _EPILOG,
    )
    p.add_argument("runs", nargs="*", type=existing_directory, metavar="RUNS", help="--out directories of `rigor run`")
    p.add_argument("--out", "--html", dest="out", metavar="DIR", help="write there (default: RUNS/report)")
    p.add_argument(
        "--format", type=_formats, default=list(FORMATS), metavar="LIST",
        help="of md, csv, tex, html (default: all); without html no pages are made",
    )  # fmt: skip
    p.add_argument(
        "--baseline", metavar="NAME",
        help="the condition that the others are compared with: a harness, or a model, policy or agent where they "
        "differ in that (default: the harness baseline)",
    )  # fmt: skip
    p.add_argument(
        "--check", nargs="?", const="", metavar="DIR",
        help="write nothing; compare the report in DIR (default: RUNS/report) with what the runs give, and exit with 1 "
        "where they differ",
    )  # fmt: skip
    p.add_argument(
        "--json", action="store_true",
        help="print one JSON document (rigor-report/1) instead; files are then written only where --out says so",
    )  # fmt: skip
    return p


def _formats(text: str) -> list[str]:
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    wrong = [part for part in wanted if part not in FORMATS]
    if wrong or not wanted:
        raise argparse.ArgumentTypeError(f"{', '.join(wrong) or 'nothing'}: of {', '.join(FORMATS)}")
    return [name for name in FORMATS if name in wanted]


def _report(runs: Sequence[Path], args: argparse.Namespace) -> int:
    from ..experiment.store import StoreError
    from ..report.tables.build import BaselineError, build
    from ..report.tables.damage import doubts
    from ..report.tables.gather import NotComparable

    try:
        problems = list(doubts(runs))
        report = build(runs, baseline=args.baseline, formats=args.format)
    except StoreError as error:
        message(str(error))
        return 1
    except (BaselineError, NotComparable) as error:
        raise Usage(str(error)) from None
    if args.json:
        from ..report.tables.write import document

        write_line(document(report))
    else:
        _print(report)
    sys.stdout.flush()
    if args.out is not None:
        return _write(report, runs, Path(args.out), problems)
    if args.json or len(runs) > 1:
        _tell(problems)
        if not args.json:
            message("nothing is written: --out DIR says where the report of several experiments goes")
        return 1 if problems else 0
    return _write(report, runs, runs[0] / "report", problems)


def _print(report: Report) -> None:
    from rich.console import Console

    from ..experiment.projects import project_means
    from ..report.experiment.projects import print_projects
    from ..report.experiment.terminal import print_findings
    from ..report.tables.terminal import print_table
    from .common import color, width

    console = Console(width=width(), no_color=not color(), highlight=False)
    for table in report.tables:
        print_table(table, console)
        console.print()
    print_findings(report.comparison, report.analysis(), console)
    print_projects(project_means(report.gathered.manifest, report.gathered.results), console)


def _tell(problems: Sequence[str]) -> None:
    for problem in problems[:_PROBLEMS]:
        message(problem)
    if len(problems) > _PROBLEMS:
        message(f"and {len(problems) - _PROBLEMS:,} more problems")


def _write(report: Report, runs: Sequence[Path], site: Path, problems: list[str]) -> int:
    """The tables and figures, then the pages (of one experiment), which link to them. ``problems``: those known."""
    from ..report.tables.write import PAGE, TABLES, files, write
    from .common import tell

    pages = "html" in report.inputs.formats
    alone = len(runs) == 1
    try:
        write(site, files(report, index="index.html" if pages and alone else None))
        if pages and alone:
            from ..report.experiment.site import write_site

            gathered = report.gathered
            progress = partial(tell, "pages")
            first = write_site(
                runs[0], gathered.manifest, gathered.results, site, progress=progress, problem=problems.append
            )
        else:
            first = site / PAGE if pages else site / TABLES
    except OSError as error:
        raise Usage(f"{error.filename or site}: the report cannot be written ({error.strerror})") from None
    # The pages tell of a damaged score.json in the same words.
    problems[:] = dict.fromkeys(problems)
    _tell(problems)
    message(f"report: {first}")
    return 1 if problems else 0


def _check(runs: Sequence[Path], where: str) -> int:
    from ..experiment.store import StoreError
    from ..report.experiment.check import CheckError, check
    from ..report.tables.damage import doubts
    from ..report.tables.gather import NotComparable

    if not where and len(runs) > 1:
        raise Usage("--check needs the directory of the report, where there are several experiments")
    directory = Path(where) if where else runs[0] / "report"
    try:
        found = [*check(runs, directory), *doubts(runs)]
    except StoreError as error:
        message(str(error))
        return 1
    except (CheckError, NotComparable) as error:
        raise Usage(str(error)) from None
    for line in found:
        message(line)
    if not found:
        message(f"{directory}: equals its runs")
    return 1 if found else 0
