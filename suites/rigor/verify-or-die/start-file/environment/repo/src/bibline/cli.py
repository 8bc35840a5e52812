"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .chip import read_times, start_file
from .entries import read_entries
from .errors import EntryError
from .register import Register
from .results import ranking, suspicious, to_csv


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bibline", description="The race office's side of the chip timing.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("start", "write the start file"), ("find", "find a name"), ("results", "rank the times")):
        command = commands.add_parser(name, help=what)
        command.add_argument("entries", type=Path)
        if name == "find":
            command.add_argument("name")
        if name == "results":
            command.add_argument("times", type=Path)
    options = parser.parse_args(argv)
    try:
        _carry_out(options, Register(read_entries(options.entries.read_bytes())))
    except EntryError as error:
        print(f"bibline: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"bibline: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _carry_out(options: argparse.Namespace, register: Register) -> None:
    if options.command == "find":
        for runner in register.find(options.name):
            print(f"{runner.bib:>5}  {runner.name}, {runner.club or 'no club'} ({runner.year})")
        return
    if options.command == "start":
        data = start_file(register)
    else:
        finishes = read_times(options.times.read_bytes())
        for warning in suspicious(register, finishes):
            print(f"bibline: {warning}", file=sys.stderr)
        data = to_csv(ranking(register, finishes)).encode("utf-8")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
