"""``rigor judge prune``: the files of old submissions are deleted; what they cost and their verdicts stay."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..common import Usage, add_json, decimal, parser, write_json
from .serve import opened

PRUNE_SCHEMA = "rigor-judge-prune/1"
_EPILOG = """examples:
  rigor judge prune judge --older 30 --dry-run        what was judged thirty days ago or earlier
  rigor judge prune judge --keep 10G                  the oldest ones, until all have at most 10 GiB
  rigor judge prune judge --older 90 --keep 2G --json

Submissions that wait or are being judged stay, and so do all verdicts. A server may be running.
"""
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def command(arguments: list[str]) -> int:
    p = parser("judge prune", "Delete the files of old submissions of a judge; verdicts and budgets stay.", _EPILOG)
    p.add_argument("data", metavar="DIR", help="the --data directory of rigor judge serve")
    days = decimal(0, 100_000, "a number of days")
    p.add_argument("--older", type=days, metavar="DAYS", help="those that were judged so many days ago or earlier")
    p.add_argument("--keep", type=_size, metavar="SIZE", help="the oldest ones, until SIZE remains (500M, 10G)")
    p.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
    add_json(p)
    args = p.parse_args(arguments)
    if args.older is None and args.keep is None:
        raise Usage("give --older DAYS or --keep SIZE, or both")
    from ...judge.server.content import Contents
    from ...judge.server.model import ServerError
    from ...judge.server.owner import prune

    try:
        with opened(args.data) as store:
            contents = Contents(Path(args.data).absolute() / "content")
            older = None if args.older is None else args.older * 86_400
            found, left = prune(store, contents, older=older, keep=args.keep, dry=args.dry_run)
    except ServerError as error:
        raise Usage(str(error)) from None
    freed = sum(each.bytes for each in found)
    if args.json:
        write_json(
            {
                "schema": PRUNE_SCHEMA,
                "dry_run": args.dry_run,
                "submissions": found,
                "freed_bytes": freed,
                "left_bytes": left,
            }
        )
    else:
        done = "would be deleted" if args.dry_run else "deleted"
        print(
            f"files of {len(found)} submissions {done}: {freed / (1 << 20):.1f} MiB; {left / (1 << 20):.1f} MiB remain"
        )
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
