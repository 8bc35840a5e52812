"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import codes
from .chart import chart
from .codes import Problem
from .counting import check, final
from .order import MOST
from .pattern import read
from .yarn import metres


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="stitchcheck", description="Checks knitting patterns.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "chart", "yarn", "count"):
        command = commands.add_parser(name)
        command.add_argument("files", type=Path, nargs="+" if name == "check" else 1)
    options = parser.parse_args(argv)
    if options.command == "check":
        return max(_check(path) for path in options.files)
    path = options.files[0]
    pattern, problem = read(path)
    if problem is not None:
        return _tell(problem, path)
    if options.command == "chart":
        for line, problem in chart(pattern):
            if problem is not None:
                return _tell(problem, path)
            print(line)
    elif options.command == "yarn":
        length, problem = metres(pattern)
        if problem is not None:
            return _tell(problem, path)
        print("nobody knows, there is no gauge" if length is None else f"{length:.2f} m")
    else:
        rows, stitches, problem = final(pattern)
        if problem is not None and problem[0] == codes.LIMIT and not problem[2]:
            print(f"more than {MOST} rows")
            return codes.OK
        if problem is not None:
            return _tell(problem, path)
        print(f"{rows} rows, {stitches} stitches at the end")
    return codes.OK


def _check(path: Path) -> int:
    pattern, problem = read(path)
    if problem is not None:
        return _tell(problem, path)
    problems = check(pattern)
    if not problems:
        print(f"{path}: ok")
        return codes.OK
    return max(_tell(p, path) for p in problems)


def _tell(problem: Problem, path: Path) -> int:
    print(codes.text(problem, str(path)), file=sys.stderr)
    return problem[0]
