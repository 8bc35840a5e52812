"""``rigor score``: reviews session logs."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from .common import (
    Usage,
    add_jobs,
    add_json,
    color,
    message,
    over_logs,
    parser,
    show_progress,
    whole,
    width,
)
from .gate_options import add_gate, status
from .pages import check_page, check_site
from .picks import chosen_sessions, picked
from .reader_options import add_reader, agreed, reader_options, readers, tell_requests
from .score_output import Output, Writer, in_format
from .session_options import add_task, check_task

if TYPE_CHECKING:
    from ..reader.ask import ReaderSpec
    from ..report.session.pages import SitePage
    from ..review.config import Config
    from ..review.gate import Gate
    from ..review.score import ReviewedSession
    from ..trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor score session.jsonl                          one session: verdict, flags, facts, what to change
  rigor score ~/.claude/projects/*/*.jsonl           several: a table, and what is found most often
  rigor score session.jsonl --html report.html
  rigor score logs/ --json > scores.jsonl
  rigor score session.jsonl --fail-on flag           exit status 3 when a flag is raised (docs/ci.md)
  rigor score corpus/ --out scores/                  many logs into Parquet; run again, it continues
"""


class Options(Struct):
    """The options that a worker process needs.

    Attributes:
        sessions: of these logs only the sessions with these ids.
        table: several sessions, of which only rows are shown.
    """

    json: bool
    html: str | None
    task: str | None
    width: int
    color: bool
    paper: bool = False
    paper_exact: bool = False
    select: str | None = None
    ignore: str | None = None
    sessions: dict[str, list[str]] = field(default_factory=dict)
    fail_under: int | None = None
    fail_on: str | None = None
    exclusions: bool = False
    table: bool = False
    reader: ReaderSpec | None = None


def command(arguments: list[str]) -> int:
    p = parser("score", "Review how an agent worked, from the log of its session.", _EPILOG)
    p.add_argument(
        "paths", nargs="+", metavar="PATH",
        help="a log, a directory, a glob, a job directory, - (stdin), or a number of the last `rigor sessions`",
    )  # fmt: skip
    add_json(p, "print one JSON document per session, one per line")
    p.add_argument("--html", metavar="FILE", help="write a report page; for several sessions, a directory of pages")
    p.add_argument("--paper", action="store_true", help="show the thirteen sub-metrics of the paper as well")
    p.add_argument(
        "--paper-exact", action="store_true",
        help="like --paper, by the letter of the paper where our formulas differ (docs/scoring.md, section 6)",
    )  # fmt: skip
    p.add_argument("--select", metavar="IDS", help="show only these checks: V,H or V-narrow (see `rigor explain`)")
    p.add_argument("--ignore", metavar="IDS", help="do not show these checks")
    p.add_argument(
        "--exclusions", action="store_true", help="show for each finding the line of rigor.toml that excludes it"
    )
    add_task(p)
    add_reader(p)
    add_jobs(p)
    pipeline = p.add_argument_group("a pipeline", "exit status 3 when a session fails (docs/ci.md)")
    add_gate(pipeline)
    pipeline.add_argument(
        "--expect", action="store_true", help="the paths are cases of `rigor false-alarm`: check what they expect"
    )
    pipeline.add_argument("--format", metavar="NAME", help="write one document: github, junit, markdown or sarif")
    corpus = p.add_argument_group("a corpus", "scores into tables on disk, in bounded memory (docs/corpus.md)")
    corpus.add_argument("--out", metavar="DIR", help="write DIR/scores/part-*.parquet; skip logs that are scored there")
    corpus.add_argument(
        "--executor", choices=("processes", "ray"), help="score in processes of this machine (default), or with Ray"
    )
    corpus.add_argument("--ray-address", metavar="ADDR", help="a running Ray cluster (default: a new one here)")
    corpus.add_argument(
        "--part-size", type=whole("a number of logs"), metavar="N",
        help="logs in a part (default: 500)",
    )  # fmt: skip
    args = p.parse_args(arguments)
    args.paths, sessions = picked(args.paths)
    check_task(args.task)
    if args.out is not None:
        if args.format is not None or args.fail_under is not None or args.fail_on is not None:
            raise Usage("--out writes tables: --format, --fail-under and --fail-on go without it")
        from .score_corpus import into_tables

        return into_tables(args, _config(args.select, args.ignore))
    for name in ("executor", "ray_address", "part_size"):
        if getattr(args, name) is not None:
            raise Usage(f"--{name.replace('_', '-')} needs --out DIR")
    site = args.html is not None and _wants_site(args.paths, args.html)
    options = Options(
        json=args.json,
        html=args.html,
        task=args.task,
        paper=args.paper or args.paper_exact,
        paper_exact=args.paper_exact,
        select=args.select,
        ignore=args.ignore,
        sessions=sessions,
        fail_under=args.fail_under,
        fail_on=args.fail_on,
        exclusions=args.exclusions,
        table=not args.json and not _single(args.paths),
        width=width(),
        color=color(),
    )
    if args.html is not None:
        (check_site if site else check_page)(Path(args.html))
    # A mistake in the configuration is reported before the work begins.
    options.reader = reader_options(args, config(options))
    if args.dry_run or args.preview:
        assert options.reader is not None
        return tell_requests(args.paths, options.reader, args.jobs, whole_text=args.preview, task=args.task)
    if options.reader is not None and not agreed(args.paths, options.reader, args.jobs, args.task):
        options.reader = None
    gate(options)
    if args.expect:
        from .score_expect import check_cases

        return check_cases(args.paths, config(options))
    if args.format is not None:
        if args.json or args.html is not None:
            raise Usage("--format writes the only document: --json and --html go without it")
        return in_format(args.format, args.paths, partial(_reports, options=options), gate(options), args.jobs)
    return _site(args.paths, options, args.jobs) if site else _plain(args.paths, options, args.jobs)


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
    complete, passed, writer = True, True, Writer()
    for outputs, problems in over_logs(paths, partial(_score_log, options=options), jobs=jobs, label="sessions"):
        for output in outputs or ():
            writer.write(output)
            passed = passed and not output.fails
            if output.page is not None and options.html is not None:
                Path(options.html).write_text(output.page, encoding="utf-8", newline="\n")
        for problem in problems:
            complete = False
            message(problem)
    writer.close()
    if options.html is not None and complete:
        message(f"report: {options.html}")
    return status(complete and not writer.unread, passed)


def _score_log(log: LogFile, options: Options) -> list[Output]:
    reports = _reports(log, options)
    outputs = [_output(report, options, alone=len(reports) == 1) for report in reports]
    if options.html is not None:
        from ..report.session.pages import render_session

        outputs[-1].page = render_session(reports[-1], paper=options.paper)
    return outputs


def _output(report: ReviewedSession, options: Options, *, alone: bool) -> Output:
    limits = gate(options)
    notice = limits.notice(report.score.trajectory.source, report.review)
    fails = bool(limits.reasons(report.review))
    unread = [f"{report.score.trajectory.source}: {reason}" for reason in report.unread if options.reader is not None]
    if options.json or (alone and not options.table):
        return Output(render(report, options), notice=notice, fails=fails, unread=unread)
    from ..report.session.summary import summarise

    return Output(row=summarise(report), notice=notice, fails=fails, unread=unread)


def _reports(log: LogFile, options: Options) -> list[ReviewedSession]:
    from ..review.score import score_and_review
    from ..trajectory.registry import read_log

    task = None
    if options.task is not None:
        from ..tasks.task import load_task

        task = load_task(Path(options.task))
    chosen = config(options)
    chosen.reader = chosen.reader if options.reader is not None else None
    measure = options.paper or options.html is not None  # a page shows what it links to
    found: list[ReviewedSession] = []
    for trajectory in chosen_sessions(read_log(log), options.sessions.get(log.name)):
        reader = readers(options.reader) if options.reader is not None else None
        context: dict[str, Any] = {"task": task, "reader": reader}
        if task is None and trajectory.recording is not None:
            from ..bench.scoring.finish import context_of  # late: few logs are recorded runs

            own, why = context_of(trajectory)
            if why is not None:
                message(f"{trajectory.source.file}: replayed without the run's task, so TCR is not scored: {why}")
            context = {**own, **{name: value for name, value in context.items() if value is not None}}
        report = score_and_review(trajectory, config=chosen, progress=show_progress, measure=measure, **context)
        if options.paper_exact:
            from ..metrics.paper_exact import by_the_letter

            report.score = by_the_letter(report.score)
        found.append(report)
    return found


def config(options: Options) -> Config:
    """The configuration of the directory that rigor runs in, with the options of the command line."""
    return _config(options.select, options.ignore)


def _config(select: str | None, ignore: str | None) -> Config:
    from ..review.config import ConfigError, chosen, load_config

    try:
        return chosen(load_config(Path.cwd()), select, ignore)
    except ConfigError as error:
        raise Usage(str(error)) from None


def gate(options: Options) -> Gate:
    from ..review.config import ConfigError
    from ..review.gate import gate as described

    try:
        return described(options.fail_under, options.fail_on)
    except ConfigError as error:
        raise Usage(str(error)) from None


def render(report: ReviewedSession, options: Options) -> bytes:
    if options.json:
        from ..base.files import encode_json

        return encode_json(report.document(paper=options.paper))
    import io

    from rich.console import Console

    from ..report.session.terminal import print_session

    # rich chooses between Unicode and ASCII by the encoding of the stream.
    out = io.TextIOWrapper(io.BytesIO(), encoding=sys.stdout.encoding or "utf-8", errors="backslashreplace", newline="")
    console = Console(
        file=out, width=options.width, force_terminal=options.color, no_color=not options.color, highlight=False
    )
    print_session(report, console, paper=options.paper)
    if options.exclusions:
        from ..report.session.terminal import print_exclusions

        print_exclusions(console, report.review)
    out.flush()
    return out.buffer.getvalue()


def _site(paths: list[str], options: Options, jobs: int | None) -> int:
    from ..report.session.pages import SiteWriter

    assert options.html is not None
    target = Path(options.html)
    if target.suffix in (".html", ".htm"):
        raise Usage(f"--html {options.html}: several sessions need a directory, not a file")
    complete, passed, writer = True, True, Writer()
    site = SiteWriter(target)
    work = partial(_score_for_site, options=options)
    for pages, problems in over_logs(paths, work, jobs=jobs, label="sessions"):
        for page, one in pages or ():
            site.add_page(page)
            writer.write(one)
            passed = passed and not one.fails
        for problem in problems:
            complete = False
            message(problem)
    site.close()
    writer.close()
    message(f"report: {target / 'index.html'}")
    return status(complete and not writer.unread, passed)


def _score_for_site(log: LogFile, options: Options) -> list[tuple[SitePage, Output]]:
    from ..report.session.pages import render_page

    reports = _reports(log, options)
    alone = len(reports) == 1
    return [(render_page(r, paper=options.paper), _output(r, options, alone=alone)) for r in reports]
