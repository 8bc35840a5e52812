"""``rigor judge admin``: what the owner of a server's directory does with hints and with old submissions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.sanitize import terminal
from ...judge.judgement import JudgeError
from ..common import Parser, UsageError, add_json, decimal, message, needs, parser, write_json
from .serve import load, opened

if TYPE_CHECKING:
    from ...judge.server.store import SubmissionStore

_EPILOG = """examples:
  rigor judge admin hints out/projdev/judge              the questions that wait, of an experiment with --hints
  rigor judge admin hints judge --answer 3 "Yes: a name has 1 to 20 characters."
  rigor judge admin rejudge judge packages/sum --dry-run     which submissions another version of the package judged
  rigor judge admin rejudge judge packages/sum           judge them again, and those that the judge failed on
  rigor judge admin prune judge --older 30 --dry-run     files of what was judged thirty days ago or earlier
  rigor judge admin prune judge --keep 10G               the oldest ones, until all have at most 10 GiB

A server may be running, except for `rejudge`. A new verdict replaces the old one, which is kept (`earlier` in `rigor
judge serve --results`). What was aborted stays so; what waits or is being judged is not pruned; no verdict is deleted.
Exit status: 0 done; 1 some could not be judged again, and keep their verdicts; 2 wrong usage.
"""
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    try:
        with opened(args.data) as store:
            return int(args.function(store, args))
    except JudgeError as error:
        message(f"rigor judge admin: {error}")
        return 1


def _hints(store: SubmissionStore, args: argparse.Namespace) -> int:
    if args.answer is not None:
        number, text = args.answer
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            raise UsageError(
                f"--answer {number}: the number of a question comes first; without --answer they are listed"
            )
        found = [store.answer_hint(int(number), text)]
    else:
        found = [one for one in store.hints(args.run) if args.all or one.text is None]
    if args.json:
        write_json({"schema": "rigor-judge-hints/1", "hints": found})
        return 0
    for one in found:
        where = f", {one.group}" if one.group is not None else ""
        asked = one.question if one.question is not None else "a hint of the package"
        print(terminal(f"{one.id}  {one.run} ({one.problem}{where}): {asked}"))
        if one.text is not None:
            print(terminal(f"   {one.text}"))
    if not found:
        print("no run has asked for a hint" if args.all else "no question waits for an answer")
    return 0


def _rejudge(store: SubmissionStore, args: argparse.Namespace) -> int:
    needs("judge", "yaml")
    from ...judge.engine import Judge
    from ...judge.server.owner import locked, rejudge

    problems = {problem.id: problem for problem in load([Path(name) for name in args.packages])}
    with locked(Path(args.data)):
        rows = list(rejudge(store, problems, None, everything=args.all, run=args.run))
        if rows and not args.dry_run:
            rows = []
            with Judge() as judge:
                for row in rejudge(store, problems, judge.judge, everything=args.all, run=args.run):
                    rows.append(row)
                    if not args.json:
                        was = "none" if row.was is None else row.was.replace("_", " ")
                        how = f"{was} stays: {row.reason}"
                        if row.now is not None:
                            how = f"{was} -> {row.now.replace('_', ' ')}, {row.score:g} points"
                        print(terminal(f"submission {row.id} ({row.run}): {how}"), flush=True)
    if args.json:
        write_json({"schema": "rigor-judge-rejudge/1", "dry_run": args.dry_run, "submissions": rows})
    elif args.dry_run or not rows:
        print(f"{len(rows)} submissions to judge again")
    return int(not args.dry_run and any(row.reason is not None for row in rows))


def _prune(store: SubmissionStore, args: argparse.Namespace) -> int:
    from ...judge.server.content import Contents
    from ...judge.server.owner import prune

    if args.older is None and args.keep is None:
        raise UsageError("give --older DAYS or --keep SIZE, or both")
    older = None if args.older is None else args.older * 86_400
    contents = Contents(store.directory / "content")
    found, left = prune(store, contents, older=older, keep=args.keep, dry=args.dry_run)
    freed = sum(each.bytes for each in found)
    if args.json:
        document = {"schema": "rigor-judge-prune/1", "dry_run": args.dry_run, "submissions": found}
        write_json(document | {"freed_bytes": freed, "left_bytes": left})
    else:
        done = "would be deleted" if args.dry_run else "deleted"
        mib = 1 << 20
        print(f"files of {len(found)} submissions {done}: {freed / mib:.1f} MiB; {left / mib:.1f} MiB remain")
    return 0


def _size(text: str) -> int:
    lowered = text.lower().removesuffix("ib").removesuffix("b")
    number, unit = (lowered[:-1], lowered[-1]) if lowered[-1:] in _UNITS else (lowered, "")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e15:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 10G, not {text!r}")
    return int(value * _UNITS[unit])


def _parser() -> argparse.ArgumentParser:
    top = parser("judge admin", "Hints and old submissions of a judge, for its owner.", _EPILOG)
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    p = commands.add_parser("hints", help="questions of runs to a person, and their answers; hints that were given")
    p.set_defaults(function=_hints)
    p.add_argument("--answer", nargs=2, metavar=("ID", "TEXT"), help="answer this question")
    p.add_argument("--all", action="store_true", help="list all hints, not only questions that wait")
    rejudge = commands.add_parser("rejudge", help="judge submissions again, by the packages as they are now")
    rejudge.set_defaults(function=_rejudge)
    rejudge.add_argument("--all", action="store_true", help="also what was judged by the same version of the package")
    for each in (p, rejudge):
        each.add_argument("--run", metavar="RUN", help="only those of this run")
    p = commands.add_parser("prune", help="delete the files of old submissions; verdicts and budgets stay")
    p.set_defaults(function=_prune)
    days = decimal(0, 100_000, "a number of days")
    p.add_argument("--older", type=days, metavar="DAYS", help="those that were judged so many days ago or earlier")
    p.add_argument("--keep", type=_size, metavar="SIZE", help="the oldest ones, until SIZE remains (500M, 10G)")
    for each in (rejudge, p):
        each.add_argument("--dry-run", action="store_true", help="only say which submissions that would be")
    for each in commands.choices.values():
        each.add_argument("data", metavar="DIR", help="--data of rigor judge serve; of an experiment OUT/judge")
        add_json(each)
    rejudge.add_argument("packages", nargs="+", metavar="PACKAGE", help="directories with a problem.yaml")
    return top
