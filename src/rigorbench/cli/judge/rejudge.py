"""``rigor judge rejudge``: submissions of a server are judged again, by the packages as they are now."""

from __future__ import annotations

from pathlib import Path

from ..common import Usage, add_json, message, needs, parser, write_json
from .serve import load, opened

REJUDGE_SCHEMA = "rigor-judge-rejudge/1"
_EPILOG = """examples:
  rigor judge rejudge judge packages/sum --dry-run     which submissions were judged by another version of the package
  rigor judge rejudge judge packages/sum               judge them again, and those that the judge failed on
  rigor judge rejudge judge packages/* --all --json

The server must have ended. A new verdict replaces the old one, which is kept (`earlier` in `rigor judge serve
--results`). What was aborted stays so.
Exit status: 0 done; 1 some could not be judged, and keep their verdicts; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "judge rejudge", "Judge submissions again that were judged by another version of their package.", _EPILOG
    )
    p.add_argument("data", metavar="DIR", help="the --data directory of rigor judge serve")
    p.add_argument("packages", nargs="+", metavar="PACKAGE", help="directories with a problem.yaml")
    p.add_argument("--run", metavar="RUN", help="only submissions of this run")
    p.add_argument("--all", action="store_true", help="also what was judged by the same version")
    p.add_argument("--dry-run", action="store_true", help="only say which would be judged")
    add_json(p)
    args = p.parse_args(arguments)
    needs("judge", "yaml")
    from ...judge.engine import Judge
    from ...judge.model import JudgeError
    from ...judge.server.model import ServerError
    from ...judge.server.owner import Rejudged, as_it_was, locked, rejudge, to_rejudge

    problems = {problem.id: problem for problem in load([Path(name) for name in args.packages])}
    rows: list[Rejudged] = []
    try:
        with opened(args.data) as store, locked(Path(args.data)):
            entries = to_rejudge(store, problems, "all" if args.all else "changed", args.run)
            if args.dry_run:
                rows = [as_it_was(entry) for entry in entries]
            elif entries:
                with Judge() as judge:
                    for row in rejudge(
                        store, problems, entries, lambda p, s, cancelled: judge.judge(p, s, cancelled=cancelled)
                    ):
                        rows.append(row)
                        if not args.json:
                            print(_line(row), flush=True)
    except ServerError as error:
        raise Usage(str(error)) from None
    except JudgeError as error:
        message(f"rigor judge rejudge: {error}")
        return 1
    if args.json:
        write_json({"schema": REJUDGE_SCHEMA, "dry_run": args.dry_run, "submissions": rows})
    elif args.dry_run or not rows:
        print(f"{len(rows)} submissions to judge again")
    return int(not args.dry_run and any(row.reason is not None for row in rows))


def _line(row: object) -> str:
    from ...base.sanitize import terminal
    from ...judge.server.owner import Rejudged

    assert isinstance(row, Rejudged)
    was = "none" if row.was is None else row.was.replace("_", " ")
    if row.now is None:
        return terminal(f"submission {row.id} ({row.run}): {was} stays: {row.reason}")
    return terminal(f"submission {row.id} ({row.run}): {was} -> {row.now.replace('_', ' ')}, {row.score:g} points")
