"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .balancer import balancer_file
from .capacity import shortages
from .errors import FleetError
from .fleet import Fleet
from .loading import load
from .names import names_file
from .routing import keep, pick
from .status import overview


def main(argv: list[str] | None = None) -> int:
    options = _options(argv)
    try:
        return _run(options, load(options.fleet))
    except FleetError as error:
        print(f"{options.fleet}: {error}", file=sys.stderr)
    except OSError as error:
        print(f"{options.fleet}: {error.strerror}", file=sys.stderr)
    return 2


def _run(options: argparse.Namespace, fleet: Fleet) -> int:
    if options.command == "check":
        found = shortages(fleet)
        print("\n".join(found) or "enough in service")
        return 1 if found else 0
    if options.command == "route":
        service, client = options.service, options.client
        host = pick(fleet, service, client) if options.on is None else keep(fleet, service, client, options.on)
        print(host.name if host is not None else "nowhere")
        return 0 if host is not None else 1
    writers = {"status": overview, "balancer": balancer_file, "names": names_file}
    print(writers[options.command](fleet))
    return 0


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="edgeplan", description="Plans which host serves what.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("check", "whether enough is in service"),
        ("status", "regions and hosts with their states"),
        ("balancer", "the file for the balancers"),
        ("names", "the file for the name servers"),
        ("route", "where a client is sent"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument("fleet", type=Path, help="the fleet file")
        if name == "route":
            command.add_argument("service")
            command.add_argument("client", help="the client's name")
            command.add_argument("--on", metavar="HOST", help="the host on which it has a session")
    return parser.parse_args(argv)
