"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .app import App
from .auth import Accounts
from .delivery import Dispatcher
from .server import make_server
from .store import Store, StoreError


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        store = Store(options.db)
        if options.command == "deliver":
            counts = Dispatcher(store).run_once()
            print(", ".join(f"{name} {count}" for name, count in counts.items()))
        else:
            make_server(App(store, Accounts.from_file(options.accounts)), options.port).serve_forever()
    except (StoreError, ValueError, OSError) as error:
        print(f"belltower: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="belltower")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="answer the API")
    serve.add_argument("--accounts", type=Path, required=True)
    serve.add_argument("--port", type=int, default=8080)
    deliver = commands.add_parser("deliver", help="send what is pending")
    for command in (serve, deliver):
        command.add_argument("--db", type=Path, required=True)
    return parser
