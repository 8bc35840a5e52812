"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .desk import Desk
from .lines import answer
from .server import Server
from .store import FileStore, MemoryStore


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="ferrydesk", description="Bookings of the car ferry.")
    commands = parser.add_subparsers(dest="command", required=True)
    replay = commands.add_parser("replay", help="carry out the requests of a file, without keeping anything")
    replay.add_argument("file", type=Path)
    serve = commands.add_parser("serve", help="wait for counters")
    serve.add_argument("state", type=Path)
    serve.add_argument("--port", type=int, default=4600)
    options = parser.parse_args(argv)
    if options.command == "serve":
        with Server(Desk(FileStore(options.state)), options.port) as server:
            server.serve_forever()
    try:
        lines = options.file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        print(f"{options.file}: {error.strerror}", file=sys.stderr)
        return 1
    desk = Desk(MemoryStore())
    for line in lines:
        print(answer(desk, line))
    return 0
