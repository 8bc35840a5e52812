"""The command line."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from . import colonies, harvests, inspections, report
from .alerts import alerts
from .errors import HiveError
from .storage import day, load, save

QUEEN = {"yes": True, "no": False, None: None}


def main(argv: list[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        print(_run(options), end="")
    except (HiveError, OSError) as error:
        print(f"hivebook: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hivebook", description="A bee keeper's book.")
    parser.add_argument("book", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add")
    add.add_argument("name")
    add.add_argument("date")
    add.add_argument("--breed", default="")
    inspect = commands.add_parser("inspect")
    inspect.add_argument("name")
    inspect.add_argument("date")
    inspect.add_argument("--brood", type=int)
    inspect.add_argument("--queen", choices=("yes", "no"))
    inspect.add_argument("--mites", default="")
    inspect.add_argument("--note", default="")
    harvest = commands.add_parser("harvest")
    harvest.add_argument("name")
    harvest.add_argument("date")
    harvest.add_argument("kilograms")
    harvest.add_argument("--kind", default="")
    rename = commands.add_parser("rename")
    rename.add_argument("name")
    rename.add_argument("new")
    lose = commands.add_parser("lose")
    lose.add_argument("name")
    lose.add_argument("date")
    lose.add_argument("--reason", default="")
    commands.add_parser("list")
    commands.add_parser("show").add_argument("name")
    commands.add_parser("report").add_argument("year", type=int)
    commands.add_parser("alerts").add_argument("--today", default=date.today().isoformat())
    return parser


def _run(options: argparse.Namespace) -> str:
    db = load(options.book)
    if options.command == "list":
        return report.listing(db)
    if options.command == "show":
        return report.show(db, options.name)
    if options.command == "report":
        return report.year(db, options.year)
    if options.command == "alerts":
        return "".join(f"{line}\n" for line in alerts(db, day(options.today)))
    if options.command == "add":
        colonies.add(db, options.name, options.date, options.breed)
    elif options.command == "inspect":
        inspections.add(
            db, options.name, options.date, options.brood, QUEEN[options.queen], options.mites, options.note
        )
    elif options.command == "harvest":
        harvests.add(db, options.name, options.date, options.kilograms, options.kind)
    elif options.command == "rename":
        colonies.rename(db, options.name, options.new)
    elif options.command == "lose":
        colonies.lose(db, options.name, options.date, options.reason)
    save(db, options.book)
    return ""
