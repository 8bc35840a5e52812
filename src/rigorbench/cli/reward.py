"""``rigor reward``: the grade or score of each session, divided among its steps, for training or for reading."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec import Struct

from .common import Usage, add_jobs, add_json, add_paths, message, parser, print_lines
from .reader_options import add_reader, agreed, reader_options, tell_requests
from .session_options import add_task, check_task

if TYPE_CHECKING:
    from ..metrics.reward.model import Reward
    from ..reader.ask import ReaderSpec
    from ..trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor reward session.jsonl                      the steps that earned most, and those that cost most
  rigor reward logs/ --jsonl rewards.jsonl        one line per session, every step of the agent in it
  rigor reward logs/ --reader claude --jsonl -    the overall grade of a reader, asked once for a session
  rigor reward logs/ --of verification --jsonl -  one grade instead of the overall grade

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


class Options(Struct):
    """The options that a worker process needs. ``lines``: print JSON lines."""

    of: str | None
    task: str | None
    reader: ReaderSpec | None
    lines: bool


def command(arguments: list[str]) -> int:
    p = parser("reward", "Divide the grade or score of sessions among their steps: a dense reward.", _EPILOG)
    add_paths(p)
    p.add_argument("--jsonl", metavar="FILE", help="write one JSON document per session, one per line; - is stdout")
    add_json(p, "the same as --jsonl -")
    choices = ("review", "score", *GRADES, *PILLARS)
    p.add_argument("--of", choices=choices, metavar="WHAT", help=f"what is divided: {', '.join(choices)}")
    add_task(p)
    add_reader(p)
    add_jobs(p)
    args = p.parse_args(arguments)
    if args.json and args.jsonl not in (None, "-"):
        raise Usage("--json writes to stdout: give --json or --jsonl FILE")
    check_task(args.task)
    target = "-" if args.json else args.jsonl
    from ..review.config import ConfigError, load_config

    try:
        reader = reader_options(args, load_config(Path.cwd()))
    except ConfigError as error:
        raise Usage(str(error)) from None
    if args.dry_run or args.preview:
        assert reader is not None
        return tell_requests(args.paths, reader, args.jobs, whole_text=args.preview, task=args.task)
    if reader is not None and not agreed(args.paths, reader, args.jobs, args.task):
        reader = None
    options = Options(args.of, args.task, reader, target is not None)
    work = partial(_rewards, options=options)
    with _writer(target) as out:
        complete = print_lines(args.paths, work, out, jobs=args.jobs, label="sessions")
    if target not in (None, "-"):
        message(f"rewards: {target}")
    return 0 if complete else 1


@contextmanager
def _writer(target: str | None) -> Iterator[IO[bytes]]:
    """The target of the lines. A file appears when it is complete; pipes and devices are written to, never replaced."""
    if target in (None, "-"):
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    assert target is not None
    path = Path(target)
    special = path.exists() and not path.is_file()
    # The target of a link is replaced, not the link.
    target = str(path) if special else os.path.realpath(target)
    draft = target if special else f"{target}.tmp"
    try:
        stream = open(draft, "wb")  # noqa: SIM115 (closed below, before it is renamed)
    except OSError as error:
        raise Usage(f"--jsonl {target}: cannot be written ({error.strerror})") from None
    try:
        with stream:
            yield stream
        if not special:
            os.replace(draft, target)
    finally:
        if not special:
            Path(draft).unlink(missing_ok=True)


def _rewards(log: LogFile, options: Options) -> list[bytes]:
    import msgspec

    from ..api import reward
    from ..trajectory.registry import read_log

    found: list[bytes] = []
    for trajectory in read_log(log):
        one = reward(trajectory, task=options.task, of=options.of, reader=options.reader)
        found.append(msgspec.json.encode(one) if options.lines else shown(one).encode())
    return found


def shown(reward: Reward) -> str:
    """A reward for people: the steps that earned or cost most, in order."""
    from ..base.sanitize import terminal

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
        lines.append(f"  ... and {len(rows) - len(most)} steps with less; --jsonl has them all")
    if reward.missing:
        parts = [f"{k} -{v:.{digits}f}" for k, v in reward.missing.items()]
        lines.append(f"  lost by what was not done, which belongs to no step: {', '.join(parts)}")
    return "\n".join(lines) + "\n"
