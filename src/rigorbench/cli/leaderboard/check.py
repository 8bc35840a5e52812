"""``rigor leaderboard check``: whether a site still matches its sources."""

from __future__ import annotations

import sys
from pathlib import Path

from ..common import Usage, message, write_json
from .sources import Problems, load, options


def command(arguments: list[str]) -> int:
    p = options("check", "Build the site in memory with the same options, and compare it with the files in SITE.")
    p.add_argument("--site", required=True, metavar="SITE", help="directory of the site")
    args = p.parse_args(arguments)
    from ...report.leaderboard.pages import addresses, compare_site

    site = Path(args.site)
    if not site.is_dir():
        raise Usage(f"{site}: no such directory")
    problems = Problems()
    leaderboard, _, directories = load(args, problems)
    found = compare_site(site, leaderboard, addresses(site, directories))
    if args.json:
        document = {"schema": "rigor-leaderboard-check/1", "same": not found, "differences": found}
        write_json(document)
    for line in found:
        message(line)
    if not found and not args.json:
        print(f"{site}: matches its sources")
    sys.stdout.flush()
    return 1 if found or problems.count else 0
