"""``rigor diff``: two sessions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .common import Usage, add_json, console, message, parser, write_json
from .picks import picked
from .rows import rows_of

if TYPE_CHECKING:
    from ..report.session.summary import SessionRow

SCHEMA = "rigor-diff/1"
_EPILOG = """examples:
  rigor diff before.jsonl after.jsonl
  rigor diff 1 4                        numbers of the last `rigor sessions`
"""


def command(arguments: list[str]) -> int:
    p = parser("diff", "Two sessions side by side: facts or grades, checks, size of the work, duration, cost.", _EPILOG)
    p.add_argument("a", metavar="A", help="a log of one session, or a number of the last `rigor sessions`")
    p.add_argument("b", metavar="B", help="another")
    add_json(p)
    args = p.parse_args(arguments)
    found = [_session(path) for path in (args.a, args.b)]
    if found[0] is None or found[1] is None:
        return 1
    from ..report.history.diff import difference, print_difference

    made = difference(found[0], found[1])
    if args.json:
        write_json({"schema": SCHEMA, "difference": made})
    else:
        print_difference(made, console())
    return 0


def _session(path: str) -> SessionRow | None:
    """The one session that is meant; None: the log cannot be read, which is said.

    Raises:
        Usage: the log holds several.
    """
    (log,), ids = picked([path])
    rows, problems = rows_of(log)
    for problem in problems:
        message(problem)
    if problems:
        return None
    wanted = [row for row in rows if log not in ids or row.id in ids[log]]
    if len(wanted) == 1:
        return wanted[0]
    if not wanted:
        message(f"{log}: holds no such session; give the log of a session, or run `rigor sessions` again")
        return None
    raise Usage(f"{path}: holds {len(wanted)} sessions; list them (rigor sessions {path}) and give their numbers")
