"""``rigor advise``: a section for AGENTS.md from the findings that recur in a project's sessions."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..review.history.advice import LEAST, found_once, markdown, sections
from ..review.pages.project import repository
from .common import add_json, message, parser, whole, write_json
from .rows import add_choice, nothing, read_rows

if TYPE_CHECKING:
    from ..review.pages.summary import SessionRow

SCHEMA = "rigor-advice/1"
_EPILOG = """examples:
  rigor advise                     the sessions of the repository that you are in
  rigor advise >> AGENTS.md        the sessions behind each line go along as a comment
  rigor advise --project api --since 8w
  rigor advise logs/ --json
"""


def command(arguments: list[str]) -> int:
    p = parser("advise", "Propose a section for AGENTS.md from what recurs in a project's sessions.", _EPILOG)
    add_choice(p)
    p.add_argument(
        "--least", type=whole("a number of sessions"), default=None, metavar="N",
        help="a weakness must have been found in N sessions (default: 2); a flag in one",
    )  # fmt: skip
    add_json(p)
    args = p.parse_args(arguments)
    if args.paths or args.project is not None:
        here = None
    else:
        here = repository(str(Path.cwd()))
    found = read_rows(args)
    if here is not None:
        everything, found.rows = found.rows, [row for row in found.rows if row.root == here]
        if everything and not found.rows:
            return _elsewhere(everything, here)
    if not found.rows:
        return nothing(found, args)
    made = sections(found.rows, LEAST if args.least is None else args.least)
    if args.json:
        write_json({"schema": SCHEMA, "sections": made})
    else:
        told = [section for section in made if section.advice]
        sys.stdout.write("\n".join(markdown(section) for section in told))
        sys.stdout.flush()
        looked = f"{len(found.rows):,} sessions"
        if not told and (single := found_once(found.rows)):
            message(f"no finding recurs in {looked}; --least 1 advises on single ones: {', '.join(single)}")
        elif not told:
            message(f"there is no finding in {looked}")
    return 1 if found.failed else 0


def _elsewhere(everything: list[SessionRow], here: str) -> int:
    """Says that no session is of this repository, and which there are. Returns the exit status."""
    most = Counter(row.project for row in everything if row.project).most_common(5)
    names = ", ".join(f"{name} ({number})" for name, number in most)
    message(f"{here}: no session worked there; name a project with --project: {names}")
    return 1
