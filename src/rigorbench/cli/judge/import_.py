"""``rigor judge import``: packages of Polygon and ACMOJ in our layout."""

from __future__ import annotations

from pathlib import Path

from ...base.text import count as plural
from ..common import message, parser

_EPILOG = """PATH is a directory or a ZIP archive. What could not be converted is listed, one line each.

  rigor judge import a-plus-b-12$linux.zip packages/aplusb
  rigor judge import 1000.zip packages/p1000 --from acmoj

Exit status: 0 written and usable; 1 not written, or something is missing and has to be added by hand; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("judge import", "Convert a package of Polygon or ACMOJ to our layout.", _EPILOG)
    p.add_argument("path", metavar="PATH", type=Path, help="package of Polygon (problem.xml) or ACMOJ (config.json)")
    p.add_argument("destination", metavar="DEST", type=Path, help="directory to write; must not exist")
    p.add_argument(
        "--from", dest="source", choices=("polygon", "acmoj"), help="what PATH is (default: detected from its files)"
    )
    args = p.parse_args(arguments)
    from ...problems.importers.convert import import_package
    from ...problems.load import load_problem
    from ...problems.model import PackageError

    try:
        written = import_package(args.path, args.destination, args.source)
    except PackageError as error:
        message(str(error))
        return 1
    for line in written.lost:
        message(f"not converted: {line}")
    try:
        problem = load_problem(args.destination)
    except PackageError as error:
        message(f"written, but not usable yet: {error}")
        return 1
    cases = sum(len(group.cases) for group in problem.groups)
    points = f"{problem.full:g} point{'' if problem.full == 1 else 's'}"
    counts = f"{plural(len(problem.groups), 'group')}, {plural(cases, 'test point')}, {points}"
    print(f"{args.destination}: {problem.name}, {counts}")
    return 0
