"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .buildfile import load
from .errors import PressError
from .runner import build


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="pressroom", description="Builds the editions of a newsletter.")
    parser.add_argument("--root", type=Path, default=Path(), help="the directory of press.toml")
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", help="build what has changed")
    building.add_argument("--verbose", action="store_true", help="say what is looked up and read, and what is fresh")
    commands.add_parser("list", help="list the targets")
    given = parser.parse_args(arguments)
    try:
        if given.command == "list":
            for target in load(given.root):
                sys.stdout.write(f"{target.name} ({target.kind}): {target.inputs} -> {target.output}\n")
        else:
            _build(given.root, given.verbose)
    except PressError as error:
        sys.stderr.write(f"pressroom: {error}\n")
        return 1
    return 0


def _build(root: Path, verbose: bool) -> None:
    def log(line: str) -> None:
        if verbose:
            sys.stdout.write(f"{line}\n")

    for name in build(root, log):
        if not verbose:
            sys.stdout.write(f"built {name}\n")
