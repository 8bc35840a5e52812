"""``rigor judge hints``: what runs asked for, and answers to their questions."""

from __future__ import annotations

import argparse

from ..common import Usage, add_json, parser, write_json
from .serve import opened

HINTS_SCHEMA = "rigor-judge-hints/1"
_EPILOG = """examples:
  rigor judge hints out/projdev/judge                  the questions that wait, of an experiment with --hints
  rigor judge hints judge --answer 3 "Yes: a name has 1 to 20 characters."
  rigor judge hints judge --all --json

A run may ask questions if it has a budget of hints: rigor run --hints N, or rigor judge serve --issue RUN --hints N.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    number, text = args.answer or ("", "")
    if args.answer is not None and not (number.isascii() and number.isdigit() and len(number) < 19):
        raise Usage(f"--answer {number}: the number of a question comes first; without --answer they are listed")
    from ...base.sanitize import terminal
    from ...judge.server.hints import Hints
    from ...judge.server.model import ServerError

    try:
        with opened(args.data) as store:
            hints = Hints(store)
            if args.answer is not None:
                found = [hints.answer(int(number), text)]
            else:
                found = [one for one in hints.of(args.run) if args.all or one.text is None]
    except ServerError as error:
        raise Usage(str(error)) from None
    if args.json:
        write_json({"schema": HINTS_SCHEMA, "hints": found})
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


def _parser() -> argparse.ArgumentParser:
    p = parser("judge hints", "Questions of runs to a person, and their answers; hints that were given.", _EPILOG)
    p.add_argument("data", metavar="DIR", help="the --data directory of rigor judge serve; of an experiment OUT/judge")
    p.add_argument("--answer", nargs=2, metavar=("ID", "TEXT"), help="answer this question")
    p.add_argument("--all", action="store_true", help="list all hints, not only questions that wait")
    p.add_argument("--run", metavar="RUN", help="list those of this run only")
    add_json(p)
    return p
