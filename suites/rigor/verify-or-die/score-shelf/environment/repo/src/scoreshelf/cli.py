"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from wsgiref.simple_server import make_server

from .access import AccessService
from .api import Api
from .errors import ShelfError
from .files import load
from .web import application


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scoreshelf", description="Who may open which folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    show = commands.add_parser("show", help="what a member may open")
    show.add_argument("archive", type=Path)
    show.add_argument("member")
    serve = commands.add_parser("serve", help="answer requests")
    serve.add_argument("archive", type=Path)
    serve.add_argument("--port", type=int, default=8080)
    options = parser.parse_args(argv)
    try:
        service = AccessService(load(options.archive))
        if options.command == "serve":
            with make_server("127.0.0.1", options.port, application(Api(service))) as server:
                server.serve_forever()
        for entry in service.folders(options.member):
            print(f"{entry['level']:<6} {entry['folder']}")
    except ShelfError as error:
        print(f"scoreshelf: {error}", file=sys.stderr)
        return 1
    return 0
