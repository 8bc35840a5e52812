"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .errors import RosterError
from .feed import feed
from .rest import short_rests, write_rests
from .roster import load
from .sheet import month_sheet, parse_month, write_sheet


def main(argv: list[str] | None = None) -> int:
    options = _options(argv)
    try:
        shifts = load(options.roster)
        if options.command == "sheet":
            print(write_sheet(month_sheet(shifts, *parse_month(options.month))))
        elif options.command == "rest":
            print(write_rests(short_rests(shifts)))
        else:
            print(feed(shifts))
    except RosterError as error:
        print(f"{options.roster}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{options.roster}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="wardhours", description="Hours of shifts, for the pay office.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("sheet", "the hours of a month for each person"),
        ("rest", "where there was too little rest"),
        ("feed", "the shifts for the calendar program"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("roster", type=Path, help="a file with one shift in each line")
        if name == "sheet":
            command.add_argument("month", help="such as 2024-05")
    return parser.parse_args(argv)
