"""``rigor reward``: the grade or score of each session, divided among its steps, for training or for reading."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..base.sanitize import terminal
from ..session.registry import read_log
from .common import add_jobs, add_json, add_paths, add_task, check_task, parser, print_lines
from .reader_options import add_reader, agreed, reader_options, tell_requests

if TYPE_CHECKING:
    from ..bench.rigorscore.reward.reward import Reward
    from ..review.reader.ask import ReaderSpec
    from ..session.logfile import LogFile

_EPILOG = """examples:
  rigor reward session.jsonl                      the steps that earned most, and those that cost most
  rigor reward logs/ --json > rewards.jsonl       one line per session, every step of the agent in it
  rigor reward logs/ --reader claude --json       the overall grade of a reader, asked once for a session
  rigor reward logs/ --of verification --json     one grade instead of the overall grade

Without --of, the overall grade of a reader is divided, which no session has that nobody read; with --task, and of
runs of the benchmark, the RigorScore (--of review and --of score choose). PF, VC, RE, AQ and ATI are its pillars.
docs/rewards.md explains what a credit means, and what it does not.
"""
GRADES = ("planning", "verification", "recovery", "abstention", "integrity")
PILLARS = ("PF", "VC", "RE", "AQ", "ATI")
# What is divided, for people.
NAMES = {"review": "overall grade", "score": "RigorScore", **{name: f"grade of {name}" for name in GRADES}}
# How many steps are printed for people.
_SHOWN = 12


def command(arguments: list[str]) -> int:
    p = parser("reward", "Divide the grade or score of sessions among their steps: a dense reward.", _EPILOG)
    add_paths(p)
    add_json(p, "print one JSON document per session, one per line")
    choices = ("review", "score", *GRADES, *PILLARS)
    p.add_argument("--of", choices=choices, metavar="WHAT", help=f"what is divided: {', '.join(choices)}")
    add_task(p)
    add_reader(p)
    add_jobs(p)
    args = p.parse_args(arguments)
    check_task(args.task)
    from ..review.config import load_config

    reader = reader_options(args, load_config(Path.cwd()))
    if args.dry_run or args.preview:
        return tell_requests(args.paths, reader, args.jobs, whole_text=args.preview, task=args.task)
    reader = agreed(args.paths, reader, args.jobs, args.task)
    work = partial(_rewards, of=args.of, task=args.task, reader=reader, as_json=args.json)
    return print_lines(args.paths, work, jobs=args.jobs, label="sessions")


def _rewards(log: LogFile, of: str | None, task: str | None, reader: ReaderSpec | None, as_json: bool) -> list[bytes]:
    from ..api import reward

    found = (reward(trajectory, task=task, of=of, reader=reader) for trajectory in read_log(log))
    return [msgspec.json.encode(one) if as_json else shown(one).encode() for one in found]


def shown(reward: Reward) -> str:
    """A reward for people: the steps that earned or cost most, in order."""
    name = NAMES.get(reward.of, reward.of)
    head = f"{terminal(reward.source)}  {terminal(reward.id)}"
    if reward.total is None:
        return f"{head}\n  no {name}, so no credit: {reward.reason}\n"
    # Grades are of 100, and whole; three decimals of a score say as much as one of a grade.
    digits = 1 if reward.most == 100 else 3
    shown_total = f"{reward.total:.0f} of 100" if reward.most == 100 else f"{reward.total:.4f}"
    lines = [f"{head}\n  {name} {shown_total}"]
    rows = [s for s in reward.steps if s.credit or s.lost]
    most = sorted(rows, key=lambda s: (-max(s.credit or 0, s.lost or 0), s.step))[:_SHOWN]
    if most:
        lines.append("    step    line  lane         credit    lost  by")
    for step in sorted(most, key=lambda s: s.step):
        parts = [f"{k} +{v:.{digits}f}" for k, v in step.by.items()]
        parts += [f"{k} -{v:.{digits}f}" for k, v in step.lost_by.items()]
        line = "-" if step.line is None else str(step.line)
        amounts = " ".join(f"{amount or 0:>7.{digits + 1}f}" for amount in (step.credit, step.lost))
        lines.append(f"  {step.step:>6}  {line:>6}  {terminal(step.lane)[:10]:<10}  {amounts}  " + ", ".join(parts))
    if len(rows) > len(most):
        lines.append(f"  ... and {len(rows) - len(most)} steps with less; --json has them all")
    if reward.missing:
        parts = [f"{k} -{v:.{digits}f}" for k, v in reward.missing.items()]
        lines.append(f"  lost by what was not done, which belongs to no step: {', '.join(parts)}")
    return "\n".join(lines) + "\n"
