"""``rigor report``: a summary of experiments; tables, figure and pages from the same files; the check of a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..bench.experiment.store import MANIFEST, ExperimentError
from ..bench.pages.tables.gather import gather
from ..bench.pages.tables.table import FORMATS
from .common import (
    UsageError,
    add_json,
    console,
    existing_directory,
    message,
    messages,
    parser,
    show_progress,
    write_line,
)

if TYPE_CHECKING:
    from ..bench.pages.tables.build import ReportTables

# Lines about runs that cannot be read.
_PROBLEMS = 20
_EPILOG = """examples:
  rigor report out/bench                           print a summary; write tables, figure and pages
  rigor report out/bench --format md,csv           no LaTeX and no pages
  rigor report out/mon out/tue --out out/both      both together, if they are comparable
  rigor report out/bench --check                   fail if out/bench/report no longer matches its runs
  rigor report out/bench --json | jq '.tables[] | {name, rows}'
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "report",
        "Print a summary of experiments that `rigor run` made; write the tables, the figure and the pages. Needs no "
        "engine, model or network.",
        _EPILOG,
    )
    p.add_argument("runs", nargs="*", type=existing_directory, metavar="RUNS", help="--out directories of `rigor run`")
    p.add_argument("--out", "--html", dest="out", metavar="DIR", help="where to write (default: RUNS/report)")
    p.add_argument(
        "--format", type=_formats, default=list(FORMATS), metavar="LIST",
        help="some of md, csv, tex, html (default: all); without html no pages are written",
    )  # fmt: skip
    p.add_argument(
        "--baseline", metavar="NAME",
        help="the condition that the others are compared with: a harness, or the model, policy or agent in which the "
        "conditions differ (default: the harness baseline)",
    )  # fmt: skip
    p.add_argument(
        "--paper-exact", action="store_true",
        help="score by the letter of the paper where our formulas differ (docs/scoring.md, section 6)",
    )  # fmt: skip
    p.add_argument(
        "--check", nargs="?", const="", metavar="DIR",
        help="write nothing; compare the report in DIR (default: RUNS/report) with a new one from the runs, and exit "
        "with 1 if they differ",
    )  # fmt: skip
    add_json(p, "print one JSON document (rigor-report/1) instead; files are written only with --out")
    args = p.parse_args(arguments)
    runs: list[Path] = args.runs
    if not runs:
        raise UsageError("give the --out directories of `rigor run` (before --check)")
    for out in runs:
        if not (out / MANIFEST).exists():
            raise UsageError(f"{out}: no {MANIFEST}; give the --out directory of a `rigor run`")
    try:
        return _check(runs, args.check) if args.check is not None else _report(runs, args)
    except ExperimentError as error:
        message(str(error))
        return 1


def _formats(text: str) -> list[str]:
    given = [part.strip() for part in text.split(",") if part.strip()]
    wrong = [part for part in given if part not in FORMATS]
    if wrong or not given:
        raise argparse.ArgumentTypeError(f"{', '.join(wrong) or 'nothing'}: choose from {', '.join(FORMATS)}")
    return [name for name in FORMATS if name in given]


def _report(runs: Sequence[Path], args: argparse.Namespace) -> int:
    from ..bench.pages.tables.build import build, document

    report = build(runs, baseline=args.baseline, formats=args.format, paper_exact=args.paper_exact)
    problems = [*report.gathered.damaged]
    if args.json:
        write_line(document(report))
    else:
        from ..bench.pages.experiment.terminal import print_summary

        found = report.gathered
        print_summary(found.manifest, found.results, console(), comparison=report.comparison)
    sys.stdout.flush()
    if args.out is not None:
        return _write(report, runs, Path(args.out), problems)
    if args.json or len(runs) > 1:
        messages(problems, _PROBLEMS)
        if not args.json:
            message("nothing is written: give --out DIR for the report of several experiments")
        return 1 if problems else 0
    return _write(report, runs, runs[0] / "report", problems)


def _write(report: ReportTables, runs: Sequence[Path], site: Path, problems: list[str]) -> int:
    """Write the tables and figures, then the pages (of one experiment), which link to them. Adds to ``problems``."""
    from ..bench.pages.tables.build import FOLDER, PAGE, files, write

    pages = "html" in report.inputs.formats
    try:
        if pages and len(runs) == 1:
            from ..bench.pages.experiment.site import publish

            progress = partial(show_progress, "pages")
            first = publish(runs[0], report, site, progress=progress, problem=problems.append)
        else:
            write(site, files(report))
            first = site / PAGE if pages else site / FOLDER
    except OSError as error:
        raise UsageError(f"{error.filename or site}: the report cannot be written ({error.strerror})") from None
    # The pages report a damaged score.json in the same words.
    problems[:] = dict.fromkeys(problems)
    messages(problems, _PROBLEMS)
    message(f"report: {first}")
    return 1 if problems else 0


def _check(runs: Sequence[Path], where: str) -> int:
    from ..bench.pages.experiment.site import check

    if not where and len(runs) > 1:
        raise UsageError("--check needs the directory of the report when there are several experiments")
    directory = Path(where) if where else runs[0] / "report"
    found = [*check(runs, directory), *gather(runs).damaged]
    for line in found:
        message(line)
    if not found:
        message(f"{directory}: matches its runs")
    return 1 if found else 0
