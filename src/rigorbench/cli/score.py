"""``rigor score``: session logs in, five pillars out."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from .common import Usage, color, existing_directory, jobs_argument, message, over_logs, parser, tell, width, write_line

if TYPE_CHECKING:
    from ..metrics.result import SessionReport
    from ..report.session.pages import SitePage
    from ..trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor score ~/.claude/projects/*/*.jsonl
  rigor score session.jsonl --html report.html
  rigor score logs/ --json > scores.jsonl
  rigor score session.jsonl --repo ~/src/project     re-runs builds and tests on what the session edited
  rigor score corpus/ --out scores/                  many logs into Parquet; run again, it goes on where it stopped
"""


class Options(Struct):
    """What a worker needs to know."""

    json: bool
    html: str | None
    repo: str | None
    task: str | None
    width: int
    color: bool
    votes: str | None = None


def command(arguments: list[str]) -> int:
    p = parser("score", "Score the engineering discipline of agent sessions, from their logs.", _EPILOG)
    p.add_argument("paths", nargs="+", metavar="PATH", help="a log, a directory, a glob, a job directory, or - (stdin)")
    p.add_argument("--json", action="store_true", help="one JSON document per session, one per line")
    p.add_argument("--html", metavar="FILE", help="write a report page; for several sessions, a directory of pages")
    p.add_argument(
        "--repo", type=existing_directory, metavar="DIR", help="a clone with the start commit: replay in a sandbox"
    )
    p.add_argument("--task", metavar="FILE", help="task file: requirements, commands, whether the task can be done")
    p.add_argument(
        "--votes", type=existing_directory, metavar="DIR", help="judges' votes, as `rigor panel ask` stores them"
    )
    p.add_argument("--jobs", type=jobs_argument, metavar="N", help="processes (default: the cores, for many logs)")
    corpus = p.add_argument_group("a corpus", "scores into tables on disk, in bounded memory (docs/corpus.md)")
    corpus.add_argument(
        "--out", metavar="DIR", help="write DIR/scores/part-*.parquet; logs that stand there are left out"
    )
    corpus.add_argument(
        "--executor", choices=("processes", "ray"), help="where to score: processes of this machine (default), or Ray"
    )
    corpus.add_argument("--ray-address", metavar="ADDR", help="a running Ray cluster (default: one of our own, here)")
    corpus.add_argument("--part-size", type=part_argument, metavar="N", help="logs in a part (default: 500)")
    args = p.parse_args(arguments)
    if args.task is not None:
        check_task(args.task)
    if args.votes is not None:
        check_votes(args.votes)
    if args.out is not None:
        from .score_corpus import into_tables

        return into_tables(args)
    for name in ("executor", "ray_address", "part_size"):
        if getattr(args, name) is not None:
            raise Usage(f"--{name.replace('_', '-')} needs --out DIR")
    site = args.html is not None and _wants_site(args.paths, args.html)
    options = Options(
        json=args.json,
        html=args.html,
        repo=str(args.repo) if args.repo is not None else None,
        task=args.task,
        votes=str(args.votes) if args.votes is not None else None,
        width=width(),
        color=color(),
    )
    return _site(args.paths, options, args.jobs) if site else _plain(args.paths, options, args.jobs)


def part_argument(value: str) -> int:
    number = int(value) if value.isdigit() else 0
    if number < 1:
        raise ArgumentTypeError("a number of logs, at least 1")
    return number


def check_task(path: str) -> None:
    from ..tasks.task import TaskError, load_task

    try:
        load_task(Path(path))
    except TaskError as error:
        raise Usage(str(error)) from None


def check_votes(directory: Path) -> None:
    """Say what of the votes cannot be read, and so does not count. Raises: Usage when a file of them cannot at all."""
    from ..panel.votes import StoreError, VoteStore
    from .common import tell_some

    try:
        tell_some(VoteStore(directory).damaged)
    except StoreError as error:
        raise Usage(str(error)) from None


def _wants_site(paths: list[str], target: str) -> bool:
    """One log gives one page; anything that may be more gives a directory."""
    if target.endswith((".html", ".htm")):
        if len(paths) > 1 or Path(paths[0]).is_dir() or (paths[0] != "-" and not Path(paths[0]).exists()):
            return not _single(paths)
        return False
    return True


def _single(paths: list[str]) -> bool:
    from ..trajectory.registry import discover

    return sum(1 for _, _ in zip(discover(paths), range(2), strict=False)) == 1


def _plain(paths: list[str], options: Options, jobs: int | None) -> int:
    failed = False
    for outputs, problems in over_logs(paths, partial(_score_log, options=options), jobs=jobs, label="sessions"):
        for output in outputs or ():
            if output:
                write_line(output)
        for problem in problems:
            failed = True
            message(problem)
    sys.stdout.flush()
    if options.html is not None and not failed:
        message(f"report: {options.html}")
    return 1 if failed else 0


def _score_log(log: LogFile, options: Options) -> list[bytes]:
    outputs: list[bytes] = []
    for report in _reports(log, options):
        outputs.append(render(report, options))
        if options.html is not None:
            from ..report.session.pages import write_session

            write_session(report, Path(options.html))
    return outputs


def _reports(log: LogFile, options: Options) -> list[SessionReport]:
    from ..metrics.score import score_session
    from ..trajectory.registry import read_log

    task = None
    if options.task is not None:
        from ..tasks.task import load_task

        task = load_task(Path(options.task))
    votes = None
    if options.votes is not None:
        from ..panel.votes import VoteStore

        votes = VoteStore(Path(options.votes))
    reports: list[SessionReport] = []
    for trajectory in read_log(log):
        repo = Path(options.repo) if options.repo is not None else None
        reports.append(score_session(trajectory, task=task, repo=repo, votes=votes, progress=tell))
    return reports


def render(report: SessionReport, options: Options) -> bytes:
    if options.json:
        import msgspec

        return msgspec.json.encode(report.score)
    import io

    from rich.console import Console

    from ..report.session.terminal import print_session

    # rich asks the stream for its encoding to choose between Unicode and ASCII glyphs.
    out = io.TextIOWrapper(io.BytesIO(), encoding=sys.stdout.encoding or "utf-8", errors="backslashreplace", newline="")
    console = Console(
        file=out, width=options.width, force_terminal=options.color, no_color=not options.color, highlight=False
    )
    print_session(report, console)
    out.flush()
    return out.buffer.getvalue()


def _site(paths: list[str], options: Options, jobs: int | None) -> int:
    from ..report.session.pages import SiteWriter

    assert options.html is not None
    target = Path(options.html)
    if target.suffix in (".html", ".htm"):
        raise Usage(f"--html {options.html}: several sessions need a directory, not a file")
    failed = False
    site = SiteWriter(target)
    work = partial(_score_for_site, options=options)
    for pages, problems in over_logs(paths, work, jobs=jobs, label="sessions"):
        for page, output in pages or ():
            site.add_page(page)
            if output:
                write_line(output)
        for problem in problems:
            failed = True
            message(problem)
    site.close()
    sys.stdout.flush()
    message(f"report: {target / 'index.html'}")
    return 1 if failed else 0


def _score_for_site(log: LogFile, options: Options) -> list[tuple[SitePage, bytes]]:
    from ..report.session.pages import render_page

    return [(render_page(report), render(report, options)) for report in _reports(log, options)]
