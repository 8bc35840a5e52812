"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from wsgiref.simple_server import make_server

from . import points
from .api import make_app
from .board import board
from .cup import cup
from .errors import RegattaError
from .store import Store


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="regatta", description="Places, points and the cup of a rowing league.")
    parser.add_argument("--data", type=Path, default=Path("data/races"), help="directory of the races")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("races", help="the races that are recorded")
    placing = commands.add_parser("places", help="the places of a race, as CSV")
    placing.add_argument("race")
    commands.add_parser("cup", help="the table of the cup")
    serving = commands.add_parser("serve", help="serve the API")
    serving.add_argument("--port", type=int, default=8080)
    options = parser.parse_args(argv)
    try:
        return _run(options)
    except (RegattaError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _run(options: argparse.Namespace) -> int:
    store = Store(options.data)
    if options.command == "races":
        for race in store.races():
            print(f"{race.id}  {race.date.isoformat()}  {race.name}")
    elif options.command == "places":
        print(board(store.race(options.race)), end="")
    elif options.command == "cup":
        for number, (club, total) in enumerate(cup(store.races()), 1):
            print(f"{number:2}  {club:24} {points.show(total):>7}")
    else:
        with make_server("127.0.0.1", options.port, make_app(options.data)) as server:
            server.serve_forever()
    return 0
