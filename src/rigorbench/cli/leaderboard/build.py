"""``rigor leaderboard build``: writes the site."""

from __future__ import annotations

import sys
from pathlib import Path

from ..common import Usage, message, write_json
from .sources import Problems, load, options


def command(arguments: list[str]) -> int:
    p = options(
        "build", "Write a static site with all entries, the boards on which they are comparable, and their history."
    )
    p.add_argument("--out", metavar="SITE", help="directory of the site")
    args = p.parse_args(arguments)
    if args.out is None and not args.json:
        raise Usage("give --out SITE, or --json")
    problems = Problems()
    leaderboard, tables, directories = load(args, problems)
    if args.out is not None:
        from ...report.leaderboard.pages import addresses, write_site

        site = Path(args.out)
        try:
            index = write_site(site, leaderboard, tables, addresses(site, directories))
        except OSError as error:
            raise Usage(f"{error.filename or site}: the site cannot be written ({error.strerror})") from None
        message(f"leaderboard: {index}")
    if args.json:
        write_json(leaderboard)
    sys.stdout.flush()
    return 1 if problems.count else 0
