"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .errors import SpoolError
from .prune import prune
from .reader import read_segment, read_spool
from .segments import segments
from .writer import Writer


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="spoolkeep", description="A spool of records on disk.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("append", "append a record"), ("cat", "print records"), ("stat", "count records")):
        command = commands.add_parser(name, help=text)
        command.add_argument("spool", type=Path)
        if name == "append":
            command.add_argument("fields", nargs="+", metavar="key=value")
    pruning = commands.add_parser("prune", help="remove old segments")
    pruning.add_argument("spool", type=Path)
    pruning.add_argument("--keep", type=int, required=True)
    options = parser.parse_args(argv)
    try:
        _run(options)
    except (SpoolError, OSError) as error:
        print(f"spoolkeep: {error}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> None:
    if options.command == "append":
        fields = [field.partition("=") for field in options.fields]
        with Writer(options.spool) as writer:
            writer.append({key: value for key, _, value in fields})
    elif options.command == "cat":
        for record in read_spool(options.spool):
            print(" ".join(f"{key}={value}" for key, value in record.items()))
    elif options.command == "stat":
        for path in segments(options.spool):
            print(f"{path.name} {path.stat().st_size} bytes, {sum(1 for _ in read_segment(path))} records")
    else:
        print(f"{len(prune(options.spool, options.keep))} segments removed")
