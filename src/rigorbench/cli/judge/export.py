"""``rigor judge export``: a package in the plain Kattis layout."""

from __future__ import annotations

from pathlib import Path

from ...judge.judgement import JudgeError
from ...judge.problems.export import export_package
from ...judge.problems.load import load_problem
from ...judge.problems.problem import PackageError
from ...sandbox.kit.errors import SandboxError
from ..common import message, parser

_EPILOG = """Our own keys become standard ones where the format has any. What is lost is listed, one line each.

  rigor judge export packages/sum kattis/sum

Exit status: 0 written, 1 not written, 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("judge export", "Write a package in the plain Kattis 2025-09 layout.", _EPILOG)
    p.add_argument("package", metavar="PACKAGE", type=Path, help="directory of a problem package")
    p.add_argument("destination", metavar="DEST", type=Path, help="directory to write; must not exist")
    args = p.parse_args(arguments)
    from ...judge.build.generate import make_files

    try:
        make_files(load_problem(args.package))
        lost = export_package(args.package, args.destination)
    except (PackageError, JudgeError, SandboxError) as error:
        message(str(error))
        return 1
    for line in lost:
        message(f"lost: {line}")
    print(f"{args.destination}: written, {'nothing' if not lost else len(lost)} lost")
    return 0
