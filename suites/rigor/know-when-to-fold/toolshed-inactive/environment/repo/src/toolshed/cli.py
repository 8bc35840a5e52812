"""The command line."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from . import desk, reports
from .errors import ShedError
from .model import REASONS
from .shed import Shed, load, save


def main(argv: list[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        shed = load(options.data)
        lines, changed = _run(options, shed)
        if changed:
            save(shed, options.data)
    except (ShedError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="toolshed", description="Members, visits and loans of a shared tool shed.")
    parser.add_argument("--data", type=Path, default=Path("data"), help="directory of the files")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("members", "the list of members"), ("out", "the tools that are out")):
        commands.add_parser(name, help=text)
    commands.add_parser("overview", help="every member with last visit and last loan")
    commands.add_parser("history", help="who had a tool").add_argument("tool")
    commands.add_parser("year", help="figures of a year").add_argument("year", type=int)
    joining = commands.add_parser("join", help="a new member")
    joining.add_argument("name")
    signing = commands.add_parser("sign-in", help="somebody came through the door")
    signing.add_argument("member", type=int)
    signing.add_argument("reason", choices=REASONS)
    lending = commands.add_parser("lend", help="a tool goes out")
    lending.add_argument("member", type=int)
    lending.add_argument("tool")
    taking = commands.add_parser("take-back", help="a tool comes back")
    taking.add_argument("tool")
    for command in (joining, signing, lending, taking):
        command.add_argument("--on", type=date.fromisoformat, default=date.today(), help="the day (today)")
    return parser


def _run(options: argparse.Namespace, shed: Shed) -> tuple[list[str], bool]:
    """(what is printed, whether something has changed)."""
    match options.command:
        case "members":
            return reports.members(shed), False
        case "out":
            return reports.out(shed), False
        case "overview":
            return reports.overview(shed), False
        case "history":
            return reports.history(shed, options.tool), False
        case "year":
            return reports.year(shed, options.year), False
        case "join":
            member = desk.join(shed, options.name, options.on)
            return [f"{member.name} is member {member.id}"], True
        case "sign-in":
            desk.sign_in(shed, options.member, options.reason, options.on)
            return [], True
        case "lend":
            loan = desk.lend(shed, options.member, options.tool, options.on)
            return [f"{shed.member(loan.member).name} has the {loan.tool} now"], True
    loan = desk.take_back(shed, options.tool, options.on)
    return [f"the {loan.tool} is back"], True
