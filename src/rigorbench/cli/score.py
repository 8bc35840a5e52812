"""``rigor score``: reviews session logs."""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from rich.console import Console

from ..base.files import encode_json
from ..base.sanitize import terminal
from ..bench.rigorscore.paper_exact import by_the_letter
from ..review.pages.formats import names, write
from ..review.review import Fired
from ..session.discovery import FileTally
from ..session.logfile import LogError, LogFile
from ..session.registry import discover, read_log
from .common import (
    Problems,
    UsageError,
    add_gate,
    add_jobs,
    add_json,
    add_task,
    check_page,
    check_site,
    check_task,
    color,
    console,
    is_site,
    message,
    messages,
    parser,
    results,
    show_progress,
    status,
    unknown,
    width,
    write_line,
)
from .picks import chosen_sessions, picked
from .reader_options import add_reader, agreed, reader_options, readers, tell_requests

if TYPE_CHECKING:
    from ..review.config import Config, Gate
    from ..review.pages.outcome import Reported
    from ..review.pages.pages import SitePage
    from ..review.pages.summary import SessionRow
    from ..review.reader.ask import ReaderSpec
    from ..review.reviewed import ReviewedSession
    from ..session.logfile import LogFile
    from ..session.task import Task


_EPILOG = """examples:
  rigor score session.jsonl                          one session: verdict, flags, facts, what to change
  rigor score ~/.claude/projects/*/*.jsonl           several: a table, and what is found most often
  rigor score session.jsonl --html report.html
  rigor score logs/ --json > scores.jsonl
  rigor score session.jsonl --fail-on flag           exit status 3 when a flag is raised (docs/ci.md)
  rigor score session.jsonl --wrong V-narrow --why "the filter selects the whole suite"     a false alarm: a test case
  rigor score --expect rigor-cases                   whether any of these is found again
"""


class ScoreOptions(Struct):
    """What a worker process has to know."""

    config: Config
    gate: Gate
    json: bool = False
    paper: bool = False
    paper_exact: bool = False
    exclusions: bool = False
    html: str | None = None
    """"page": of the last session one is drawn; "site": of each; else None."""
    table: bool = False
    """Several sessions, of which only rows are shown."""
    task: Task | None = None
    reader: ReaderSpec | None = None
    sessions: dict[str, list[str]] = field(default_factory=dict)
    """Of these logs only the sessions with these ids."""
    width: int = field(default_factory=width)
    color: bool = field(default_factory=color)


class Output(Struct):
    """What is written of one session: its text or document, or its row of the table; and its page."""

    notice: str | None
    """What the gate has to say of it."""
    fails: bool
    unread: list[str]
    """Why answers of readers are missing."""
    text: bytes | None = None
    row: SessionRow | None = None
    page: str | SitePage | None = None


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    if args.why and args.wrong is None:
        raise UsageError("--why TEXT needs --wrong ID")
    if args.format is not None and (args.json or args.html is not None):
        raise UsageError("--format writes the only document: --json and --html go without it")
    args.paths, sessions = picked(args.paths)
    task = check_task(args.task)
    if args.wrong is not None:
        return write_case(args.paths, args.wrong, args.why)
    single = sum(1 for _, _ in zip(discover(args.paths), range(2), strict=False)) == 1
    site = args.html is not None and (is_site(args.html) or not single)
    if args.html is not None:
        (check_site if site else check_page)(Path(args.html))
    from ..review.config import chosen, gate, load_config

    # A mistake in the configuration is reported before the work begins.
    config = chosen(load_config(Path.cwd()), args.select, args.ignore)
    limits = gate(args.fail_under, args.fail_on)
    reader = reader_options(args, config)
    if args.dry_run or args.preview:
        return tell_requests(args.paths, reader, args.jobs, whole_text=args.preview, task=args.task)
    if (reader := agreed(args.paths, reader, args.jobs, args.task)) is None:
        config.reader = None
    if args.expect:
        return check_cases(args.paths, config)
    options = ScoreOptions(
        config=config,
        gate=limits,
        json=args.json,
        paper=args.paper or args.paper_exact,
        paper_exact=args.paper_exact,
        exclusions=args.exclusions,
        html=None if args.html is None else "site" if site else "page",
        table=not args.json and not single,
        task=task,
        reader=reader,
        sessions=sessions,
    )
    if args.format is not None:
        return _in_format(args.format, args.paths, options, args.jobs)
    if site and not is_site(args.html):
        raise UsageError(f"--html {args.html}: several sessions need a directory, not a file")
    problems, passed, unread = Problems(), True, list[str]()
    rows: list[SessionRow] = []
    from ..review.pages.pages import SitePage, SiteWriter

    pages = SiteWriter(Path(args.html)) if site else None
    for found in results(args.paths, partial(_outputs, options=options), problems, jobs=args.jobs, label="sessions"):
        for output in found:
            if output.text is not None:
                write_line(output.text)
            rows += [output.row] if output.row is not None else []
            unread += output.unread
            passed = passed and not output.fails
            messages([output.notice] if output.notice is not None else [])
            if pages is not None and isinstance(output.page, SitePage):
                pages.add_page(output.page)
            elif isinstance(output.page, str):
                Path(args.html).write_text(output.page, encoding="utf-8", newline="\n")
    if pages is not None:
        pages.close()
    messages(unread)
    if rows:
        from ..review.pages.listing import print_frequent, print_sessions

        print_sessions(rows, console(), numbered=False)
        print_frequent(rows, console())
    sys.stdout.flush()
    if args.html is not None and (site or not problems.count):
        message(f"report: {Path(args.html) / 'index.html' if site else args.html}")
    return status(not problems.count and not unread, passed)


def _parser() -> argparse.ArgumentParser:
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
    p.add_argument(
        "--wrong", metavar="ID",
        help="this finding (its fingerprint, or the check where it fired once) is wrong: write it as a test case",
    )  # fmt: skip
    p.add_argument("--why", default="", metavar="TEXT", help="why it is wrong")
    add_task(p)
    add_reader(p)
    add_jobs(p)
    pipeline = p.add_argument_group("a pipeline", "exit status 3 when a session fails (docs/ci.md)")
    add_gate(pipeline)
    pipeline.add_argument(
        "--expect", action="store_true", help="the paths are cases of --wrong: check what they expect"
    )
    pipeline.add_argument("--format", metavar="NAME", help="write one document: github, junit, markdown or sarif")
    return p


def _outputs(log: LogFile, options: ScoreOptions) -> list[Output]:
    """What is written of each session of a log."""
    reports = _reports(log, options)
    outputs = [_output(report, options, alone=len(reports) == 1) for report in reports]
    if options.html is not None:
        from ..review.pages.pages import render_page, render_session

        if options.html == "page":
            outputs[-1].page = render_session(reports[-1], paper=options.paper)
        else:
            for output, report in zip(outputs, reports, strict=True):
                output.page = render_page(report, paper=options.paper)
    return outputs


def _output(report: ReviewedSession, options: ScoreOptions, *, alone: bool) -> Output:
    source, gate = report.score.trajectory.source, options.gate
    unread = [f"{source}: {reason}" for reason in report.unread if options.reader is not None]
    output = Output(gate.notice(source, report.review), bool(gate.reasons(report.review)), unread)
    if options.json or (alone and not options.table):
        output.text = render(report, options)
    else:
        from ..review.pages.summary import summarise

        output.row = summarise(report)
    return output


def _in_format(name: str, paths: list[str], options: ScoreOptions, jobs: int | None) -> int:
    """Writes one document of all sessions to stdout, for another tool. Raises: Usage if there is no such format."""
    from ..review.pages.outcome import ScoredSessions

    if name not in names():
        raise unknown("format", name, names())
    outcome = ScoredSessions([], [], options.gate)
    work = partial(_reported, options=options)
    for sessions in results(paths, work, outcome.problems.append, jobs=jobs, label="sessions"):
        outcome.sessions += sessions
    messages(outcome.problems)
    for session in outcome.sessions:
        notice = outcome.gate.notice(session.source, session.review)
        if notice is not None:
            message(notice)
    sys.stdout.buffer.write(write(name, outcome).encode("utf-8", "replace"))
    return status(not outcome.problems, not any(s.failed for s in outcome.sessions))


def _reported(log: LogFile, options: ScoreOptions) -> list[Reported]:
    from ..review.pages.outcome import reported

    return [reported(session, options.gate) for session in _reports(log, options)]


def _reports(log: LogFile, options: ScoreOptions) -> list[ReviewedSession]:
    from ..bench.rigorscore.reviewing import score_and_review

    measure = options.paper or options.html is not None  # a page shows what it links to
    found: list[ReviewedSession] = []
    for trajectory in chosen_sessions(log, options.sessions.get(log.name)):
        reader = readers(options.reader) if options.reader is not None else None
        context: dict[str, Any] = {"task": options.task, "reader": reader}
        if options.task is None and trajectory.recording is not None:
            from ..bench.run.scoring.finish import context_of  # late: few logs are recorded runs

            own, why = context_of(trajectory)
            if why is not None:
                message(f"{trajectory.source.file}: replayed without the run's task, so TCR is not scored: {why}")
            context = {**own, **{name: value for name, value in context.items() if value is not None}}
        context |= {"config": options.config, "progress": show_progress, "measure": measure}
        report = score_and_review(trajectory, **context)
        if options.paper_exact:
            report.score = by_the_letter(report.score)
        found.append(report)
    return found


def render(report: ReviewedSession, options: ScoreOptions) -> bytes:
    if options.json:
        return encode_json(report.document(paper=options.paper))
    from ..review.pages.terminal import print_session

    # rich chooses between Unicode and ASCII by the encoding of the stream.
    out = io.TextIOWrapper(io.BytesIO(), encoding=sys.stdout.encoding or "utf-8", errors="backslashreplace", newline="")
    console = Console(
        file=out, width=options.width, force_terminal=options.color, no_color=not options.color, highlight=False
    )
    print_session(report, console, paper=options.paper)
    if options.exclusions:
        from ..review.pages.terminal import print_exclusions

        print_exclusions(console, report.review)
    out.flush()
    return out.buffer.getvalue()


CASE_FILE = "case.toml"


class CaseError(Exception):
    """A case that cannot be read: one line that names the file."""


class ExpectedLog(Struct, forbid_unknown_fields=True, rename="kebab"):
    """What is expected of one log."""

    log: str
    """Its path, relative to the case's file."""
    session: str = ""
    """The id of the session, of a log with several; "": all of them."""
    why: str = ""
    """Why the finding is wrong."""
    finding: str = ""
    """The fingerprint of the finding that the case is about."""
    at_most: dict[str, int] = field(default_factory=dict)
    """Id of a check -> how often it may fire. By the check and not the fingerprint, so that the same alarm in other
    words is found as well."""
    at_least: dict[str, int] = field(default_factory=dict)
    """Id of a check -> how often it has to fire."""

    def failures(self, checks: Sequence[Fired]) -> list[str]:
        """What is not as expected, a line each."""
        number = Counter(c.id for c in checks)
        first = {c.id: c.message for c in reversed(checks)}
        many = [
            f"{id} fires {number[id]} times, at most {most} expected: {first[id]}"
            for id, most in self.at_most.items()
            if number[id] > most
        ]
        few = [
            f"{id} fires {number[id]} times, at least {least} expected"
            for id, least in self.at_least.items()
            if number[id] < least
        ]
        return [*many, *few]

    def text(self) -> str:
        """The file."""
        quoted = {n: msgspec.json.encode(getattr(self, n)).decode() for n in ("log", "session", "why", "finding")}
        lines = [
            "# A log and what may be found in it; `rigor score --expect` on this folder checks it.",
            *(f"{name} = {value}" for name, value in quoted.items()),
        ]
        for name, numbers in (("at-most", self.at_most), ("at-least", self.at_least)):
            if numbers:
                lines += ["", f"[{name}]", *(f"{id} = {number}" for id, number in numbers.items())]
        return "\n".join(lines) + "\n"


def read_case(file: Path) -> ExpectedLog:
    """Raises: CaseError."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), ExpectedLog)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CaseError(f"{file}: is no case: {error}") from None


# Where cases are written.
CASES = "rigor-cases"


def write_case(paths: list[str], name: str, why: str) -> int:
    """Write the finding of this name in the one log as a case, and print the line of rigor.toml that excludes it.

    ``name``: the fingerprint of the finding, or the check where it fired once. ``why``: it is wrong. Raises:
    UsageError.
    """
    logs = [log for log in discover(paths, FileTally(on_suspicious=message)) if not isinstance(log, LogError)]
    if len(logs) != 1 or logs[0].path is None:
        raise UsageError(f"{paths[0]}: {'contains several logs; name one' if logs else 'is no log that can be read'}")
    try:
        from ..bench.rigorscore.reviewing import score_and_review

        reports = [score_and_review(t, measure=False) for t in read_log(logs[0])]
        every = [(r, c) for r in reports for c in r.review.checks if c.severity != "strength"]
        found = [(r, c) for r, c in every if name in (c.id, c.fingerprint)]
        names = list(dict.fromkeys(c.fingerprint for _, c in found or every))
        if not found:
            raise unknown("finding", name, names) if names else UsageError(f"{logs[0].name}: nothing was found in it")
        if len(names) > 1:
            raise UsageError(f"{name} fired {len(names)} times; name one: {', '.join(names)}")
        session, finding = found[0]
    except LogError as error:
        message(str(error))
        return 1
    folder = _write_case(logs[0], session, finding, why)
    message(f"{folder}: the case, with the whole log; read it before you share it")
    print(f'exclude."{finding.fingerprint}" = {msgspec.json.encode(why or "a false alarm").decode()}')
    return 0


def _write_case(log: LogFile, session: ReviewedSession, finding: Fired, why: str) -> Path:
    """Write the case with its log, whose file keeps its name: other files of the log are found by it."""
    assert log.path is not None
    folder = Path(CASES) / finding.fingerprint.replace(":", "-").lower()
    folder.mkdir(parents=True, exist_ok=True)
    if log.path.is_dir():
        shutil.copytree(log.path, folder / log.path.name, dirs_exist_ok=True)
    else:
        shutil.copyfile(log.path, folder / log.path.name)
        for other in log.siblings:
            try:
                target = folder / other.relative_to(log.path.parent)
            except ValueError:
                message(f"{other}: is a part of the log outside its folder, and not in the case")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(other, target)
    others = [c for c in session.review.checks if c.id == finding.id and c.fingerprint != finding.fingerprint]
    case = ExpectedLog(
        log=log.path.name,
        session=session.trajectory.id,
        why=why,
        finding=finding.fingerprint,
        at_most={finding.id: len(others)},
    )
    (folder / CASE_FILE).write_text(case.text(), "utf-8")
    return folder


def check_cases(paths: list[str], config: Config) -> int:
    """A line for each case. 0: all as expected; 3: some not; 1: some could not be read."""
    complete, passed = True, True
    for path in paths:
        place = Path(path)
        files = sorted(place.rglob(CASE_FILE)) if place.is_dir() else [place] if place.is_file() else []
        if not files:
            complete = False
            message(f"{place}: there is no {CASE_FILE}; `rigor score LOG --wrong ID` writes one")
        for file in files:
            try:
                case = read_case(file)
                from ..bench.rigorscore.reviewing import score_and_review

                found = [t for t in read_log(LogFile(file.parent / case.log)) if case.session in ("", t.id)]
                if not found:
                    raise CaseError(f"{file}: the log has no session {case.session}")
                reviews = [score_and_review(t, config=config, measure=False).review for t in found]
                failures = case.failures([c for r in reviews for c in r.checks])
            except (CaseError, LogError) as error:
                complete = False
                message(str(error))
                continue
            print(terminal(f"{'FAILED' if failures else 'ok':<7}{file}"), flush=True)
            passed = passed and not failures
            messages([f"  {f}" for f in failures])
    return status(complete, passed)
