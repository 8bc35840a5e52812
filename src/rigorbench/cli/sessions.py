"""``rigor sessions``: finds the agent sessions of this user on this machine and scores the latest."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ..base.text import count as plural
from ..trajectory.formats import find_sessions
from ..trajectory.registry import session_folders
from .common import (
    add_jobs,
    add_json,
    color,
    console,
    existing_directory,
    message,
    over_logs,
    parser,
    whole,
    width,
    write_line,
)

if TYPE_CHECKING:
    from ..report.session.summary import SessionRow
    from ..trajectory.logfile import LogFile


class _Found(Struct):
    row: SessionRow
    score: bytes
    text: bytes
    when: float


def command(arguments: list[str]) -> int:
    p = parser(
        "sessions",
        "Find your own agent sessions in their usual places, list the latest with their scores,\n"
        "and show the newest in full.",
    )
    folders = session_folders()
    p.add_argument("--agent", choices=[folder.agent for folder in folders], help="only sessions of this agent")
    p.add_argument("--project", metavar="TEXT", help="only sessions whose project path contains TEXT")
    p.add_argument(
        "--limit", type=whole("a number of sessions"), default=10, metavar="N",
        help="how many to list (default: 10)",
    )  # fmt: skip
    p.add_argument("--home", type=existing_directory, default=None, metavar="DIR", help="search another home directory")
    add_json(p, "print one score document per session, one per line")
    add_jobs(p)
    args = p.parse_args(arguments)
    logs = sorted(find_sessions(folders, args.home or Path.home(), args.agent), key=lambda f: (-f[2], str(f[1])))
    if not logs:
        message("no agent sessions found in their usual places; give a path to `rigor score`, or see `rigor doctor`")
        return 1
    found, failed = _read(logs, args.project, args.limit, args.jobs)
    found.sort(key=lambda f: -f.when)
    found = found[: args.limit]
    if args.json:
        for item in found:
            write_line(item.score)
    else:
        _show(found, len(logs))
    sys.stdout.flush()
    return 1 if failed else 0


def _read(
    logs: list[tuple[str, Path, float]], project: str | None, limit: int, jobs: int | None
) -> tuple[list[_Found], bool]:
    """Score logs from the latest on until ``limit`` sessions are found."""
    found: list[_Found] = []
    failed = False
    at = 0
    while at < len(logs) and len(found) < limit:
        batch = logs[at : at + limit]
        at += limit
        for results, problems in over_logs([str(p) for _, p, _ in batch], partial(_score), jobs=jobs, label="sessions"):
            found += [
                f
                for f in results or ()
                if project is None or project in f.row.source or project in (f.row.project or "")
            ]
            for problem in problems:
                failed = True
                message(problem)
    return found, failed


def _score(log: LogFile) -> list[_Found]:
    import msgspec

    from ..report.session.summary import summarise
    from ..review.score import score_and_review
    from ..trajectory.registry import read_log
    from .score import Options, render

    options = Options(json=False, html=None, repo=None, task=None, width=width(), color=color())
    found: list[_Found] = []
    for trajectory in read_log(log):
        report = score_and_review(trajectory, measure=False)
        when = trajectory.ended_at or trajectory.started_at or (log.path.stat().st_mtime if log.path else 0.0)
        found.append(_Found(summarise(report), msgspec.json.encode(report.document()), render(report, options), when))
    return found


def _show(found: list[_Found], total: int) -> None:
    from ..report.session.terminal import print_sessions

    target = console()
    print_sessions([f.row for f in found], target)
    if found:
        target.print(f"\nthe latest of {plural(total, 'log')}:\n", style="dim", markup=False)
        sys.stdout.flush()
        write_line(found[0].text)
