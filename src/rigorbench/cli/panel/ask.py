"""``rigor panel ask``: asks the judges about sessions; their votes are kept and change the scores."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ...base.text import count as plural
from ..common import Usage, add_json, message, over_logs, parser, show_progress, whole, write_json, write_line
from ..session_options import check_task

if TYPE_CHECKING:
    from ...bench.scoring.votes import RunCases
    from ...panel.ask_panel import Asked, Estimate
    from ...panel.judges.config import PanelConfig
    from ...panel.model import Case
    from ...trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor panel ask out/sonnet --panel panel.toml              the runs of an experiment; votes go to out/sonnet/votes
  rigor panel ask session.jsonl --panel panel.toml --votes votes/
  rigor panel ask out/sonnet --panel panel.toml --dry-run    how many questions, and their approximate cost

Judges are asked about plans (DQ), abstentions and clarifications (AQ), commit messages (CH), and the links between
requirements and tests (RT). They get excerpts, never whole sessions; the excerpts are sent to the providers that
panel.toml names. A stored vote is not asked for again. Scoring with votes needs no model: rigor score LOG --votes DIR.
"""
SCHEMA = "rigor-panel-ask/1"


class Session(Struct):
    """A session of a log, with the cases to judge in it."""

    name: str
    cases: list[Case] = field(default_factory=list)


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    if args.panel is None:
        raise Usage(
            "give --panel FILE, a file that names the judges (docs/panel.md has an example); without judges scores "
            "stay estimated"
        )
    from ...panel.judges.config import PanelError, load_panel
    from ...panel.votes import StoreError

    try:
        config = load_panel(args.panel)
        experiments = [path for path in args.paths if (Path(path) / "manifest.json").is_file()]
        if not experiments:
            return _ask_about_logs(args, config)
        if len(args.paths) > 1:
            raise Usage(f"{experiments[0]} is an experiment: give it alone")
        if args.votes is not None or args.task is not None:
            raise Usage("an experiment has its own votes and tasks: leave out --votes and --task")
        return _ask_about_experiment(args, config, Path(args.paths[0]))
    except (PanelError, StoreError) as error:
        raise Usage(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    p = parser("panel ask", "Ask the judges of a panel about sessions.", _EPILOG)
    p.add_argument("paths", nargs="+", metavar="PATH", help="session logs as for rigor score, or one experiment")
    p.add_argument("--panel", metavar="FILE", help="the judges (panel.toml)")
    p.add_argument("--votes", metavar="DIR", help="where votes are kept (for an experiment: always OUT/votes)")
    p.add_argument("--task", metavar="FILE", help="task file of the logs; abstentions and links are judged by it")
    p.add_argument("--suite", metavar="DIR", help="directory of an experiment's tasks, if it has moved")
    p.add_argument(
        "--jobs", type=whole("a number of runs"), default=1, metavar="N", help="runs scored at a time (default: 1)"
    )
    p.add_argument("--dry-run", action="store_true", help="count the cases and prompts, and estimate their cost")
    add_json(p)
    return p


# -- logs ----------------------------------------------------------------------------------------------------------


def _ask_about_logs(args: argparse.Namespace, config: PanelConfig) -> int:
    if args.votes is None:
        raise Usage("give --votes DIR: votes on these logs are kept there, for rigor score --votes DIR")
    if args.suite is not None:
        raise Usage("--suite is for experiments; give the task of a log with --task")
    if args.task is not None:
        check_task(args.task)
    sessions: list[Session] = []
    problems: list[str] = []
    for found, failed in over_logs(args.paths, partial(_cases_of, task=args.task), jobs=None, label="sessions"):
        sessions += found or []
        problems += failed
    for problem in problems:
        message(problem)
    from ...panel.votes import VoteStore

    store = VoteStore(args.votes)
    if args.dry_run:
        from ...panel.ask_panel import estimate

        return _tell_estimate(estimate(config, store, sessions), len(sessions), problems, as_json=args.json)
    asked = _ask(config, store, sessions)
    if asked is None:
        return 1
    document = _document(args.votes, len(sessions), asked, problems)
    _tell(document, asked, as_json=args.json)
    if not args.json and any(asked.verdicts.values()):
        print(f"rigor score LOG --votes {args.votes} uses them")
    sys.stdout.flush()
    return 0 if asked.complete and not problems else 1


def _cases_of(log: LogFile, task: str | None) -> list[Session]:
    from ...evidence.walk.extract import extract
    from ...metrics.cases import cases
    from ...metrics.session import Session as Scored
    from ...trajectory.registry import read_log

    loaded = None
    if task is not None:
        from ...tasks.task import load_task

        loaded = load_task(Path(task))
    return [Session(f"{log.name}: {t.id}", cases(Scored(extract(t), loaded))) for t in read_log(log)]


# -- experiments ---------------------------------------------------------------------------------------------------


def _ask_about_experiment(args: argparse.Namespace, config: PanelConfig, out: Path) -> int:
    from ...bench.scoring.votes import votes_directory
    from ...panel.votes import VoteStore

    runs = gather(out, args.suite)
    problems = [f"{run.cell.id}: {run.problem}" for run in runs if run.problem is not None]
    for problem in problems:
        message(problem)
    if args.dry_run:
        from ...panel.ask_panel import estimate

        made = estimate(config, VoteStore(votes_directory(out)), runs)
        return _tell_estimate(made, len(runs), problems, as_json=args.json)
    document, asked, failed = judge_experiment(config, out, runs, jobs=args.jobs)
    if asked is None:
        return 1
    document["problems"] = problems + document["problems"]
    _tell(document, asked, as_json=args.json)
    if not args.json and document["scored"]:
        print(f"the scores of {plural(document['scored'], 'run')} were updated; rigor report {out} shows them")
    sys.stdout.flush()
    return 0 if asked.complete and not problems and not failed else 1


def gather(out: Path, suite: str | None = None) -> list[RunCases]:
    """The runs of an experiment with the cases to judge in them. Raises: Usage."""
    from ...bench.scoring.votes import StoreError, SuiteError, runs_to_judge

    try:
        found: list[RunCases] = []
        for run in runs_to_judge(out, suite):
            found.append(run)
            show_progress("runs read", len(found), 0)
        show_progress("", 0, 0)
        return found
    except (StoreError, SuiteError) as error:
        raise Usage(str(error)) from None


def judge_experiment(
    config: PanelConfig, out: Path, runs: list[RunCases], *, jobs: int
) -> tuple[dict[str, Any], Asked | None, list[str]]:
    """Ask about the runs of an experiment and update their scores.

    Returns:
        The document to print, the result of asking (None: nobody can be asked), and a line for each run that could
        not be scored again.

    Raises:
        PanelError: the packages that ask models are not installed.
        rigorbench.panel.votes.StoreError: the votes cannot be written.
    """
    from ...bench.scoring.votes import StoreError, take_votes, votes_directory
    from ...panel.votes import VoteStore

    store = VoteStore(votes_directory(out))
    asked = _ask(config, store, runs)
    if asked is None:
        return {}, None, []
    document = _document(str(store.directory), len(runs), asked, [])
    document["scored"] = 0
    failed: list[str] = []
    try:
        failed = take_votes(out, runs, jobs=jobs, progress=partial(show_progress, "runs scored"))
    except StoreError as error:
        failed = [str(error)]
    else:
        document["scored"] = sum(bool(run.cases) for run in runs) - len(failed)
    for line in failed:
        message(line)
    document["problems"] += failed
    return document, asked, failed


# -- both ----------------------------------------------------------------------------------------------------------


def _ask(config: PanelConfig, store: Any, sessions: Any) -> Asked | None:
    """None, after a message with the reason, when nobody can be asked."""
    from ...panel.ask_panel import ask_panel
    from ...reader.backends.seat import NoKeys

    try:
        asked = ask_panel(config, store, sessions, progress=show_progress)
    except NoKeys as error:
        message(f"rigor panel ask: {error}; scores stay estimated")
        return None
    for line in [*asked.problems, *store.damaged]:
        message(line)
    return asked


def _document(votes: str, sessions: int, asked: Asked, problems: list[str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "votes": votes,
        "sessions": sessions,
        "cases": asked.cases,
        "verdicts": asked.verdicts,
        "quorum": asked.quorum,
        "seats": asked.seats,
        "asked": asked.votes,
        "problems": problems + asked.problems,
    }


def _tell(document: dict[str, Any], asked: Asked, *, as_json: bool) -> None:
    if as_json:
        write_json(document)
        return
    from ...base.sanitize import terminal

    if not asked.cases:
        print(f"{plural(document['sessions'], 'session')} without anything to judge")
        return
    for seat in asked.seats:
        print(terminal(f"{seat.seat:12} {seat.model:32} not checked"))
    votes = asked.votes
    cost = "" if votes.cost is None else f", {votes.cost:.4f} dollars"
    counts = f"{votes.voted} given, {votes.cached} known before, {votes.failed} failed, {votes.unasked} not asked"
    print(f"votes: {counts}{cost}")
    for kind, count in asked.cases.items():
        print(f"  {kind.replace('_', ' '):16} {asked.verdicts[kind]} of {count} with a verdict")


def _tell_estimate(found: Estimate, sessions: int, problems: list[str], *, as_json: bool) -> int:
    if as_json:
        import msgspec

        document = {"schema": "rigor-panel-plan/1", "sessions": sessions, **msgspec.to_builtins(found)}
        write_line(msgspec.json.encode({**document, "problems": problems}))
    else:
        print(
            f"{plural(sessions, 'session')}; " + ", ".join(f"{n} {k.replace('_', ' ')}" for k, n in found.cases.items())
        )
        print(f"prompts: {found.prompts} to send, {found.cached} answered before")
        cost = "unknown (a seat has no price)" if found.cost is None else f"about {found.cost:.2f} dollars"
        print(f"tokens: about {found.input_tokens:,} in, {found.output_tokens:,} out; cost: {cost}; nothing was sent")
        for line in found.missing:
            message(line)
    sys.stdout.flush()
    return 1 if problems or found.missing else 0
