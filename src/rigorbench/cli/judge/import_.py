"""``rigor judge import``: packages of Polygon and the Kattis formats, to be judged here."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from ...base.text import count as plural
from ...judge.problems.importing import import_package, set_time_limit
from ...judge.problems.load import load_problem
from ...judge.problems.problem import PackageError, Problem
from ..common import message, parser

_EPILOG = """PATH is a directory or a ZIP archive. What could not be converted is listed, one line each.

  rigor judge import a-plus-b-12$linux.zip packages/aplusb
  rigor judge import hello.kpp packages/hello

A package of a Kattis format (legacy, 2023-07, 2025-09) is copied, with one limit for all languages. If it gives no time
limit its accepted submissions are run, and the limit that the format then defines is written down.

Exit status: 0 written and usable; 1 not written, or something is missing and has to be added by hand; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("judge import", "Take over a package of Polygon or Kattis.", _EPILOG)
    p.add_argument("path", metavar="PATH", type=Path, help="package of Polygon (problem.xml) or Kattis (problem.yaml)")
    p.add_argument("destination", metavar="DEST", type=Path, help="directory to write; must not exist")
    p.add_argument(
        "--from", dest="source", choices=("polygon", "kattis"), help="what PATH is (default: detected from its files)"
    )
    args = p.parse_args(arguments)
    try:
        lost = import_package(args.path, args.destination, args.source)
    except PackageError as error:
        message(str(error))
        return 1
    for line in lost:
        message(f"not converted: {line}")
    try:
        problem = load_problem(args.destination)
        if problem.time_rule is not None and problem.submissions:
            problem = _with_time_limit(problem)
    except PackageError as error:
        message(f"written, but not usable yet: {error}")
        return 1
    for line in problem.notes:
        message(f"note: {line}")
    cases = sum(len(group.cases) for group in problem.groups)
    points = f"{problem.full:g} point{'' if problem.full == 1 else 's'}"
    counts = f"{plural(len(problem.groups), 'group')}, {plural(cases, 'test point')}, {points}"
    print(f"{args.destination}: {problem.name}, {counts}")
    return 0


def _with_time_limit(problem: Problem) -> Problem:
    """The problem with the time limit that follows from its submissions, which is written to the package.

    Raises: PackageError.
    """
    from ...judge.engine import Judge
    from ...judge.verify.package import find_time_limit

    with contextlib.closing(Judge()) as judge, tempfile.TemporaryDirectory(prefix="rigor-import-") as place:
        timed, check = find_time_limit(problem, judge, Path(place))
    message(f"time limit: {check.detail}")
    if check.status != "ok":
        return problem
    set_time_limit(problem.root, timed.limits.time)
    return load_problem(problem.root)
