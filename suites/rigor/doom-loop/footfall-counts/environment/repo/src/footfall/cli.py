"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .errors import FootfallError
from .importer import import_logs
from .report import report
from .store import Store


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="footfall", description="Counts the visitors of the museum.")
    commands = parser.add_subparsers(dest="command", required=True)
    importing = commands.add_parser("import", help="import logs into a store")
    importing.add_argument("store", type=Path)
    importing.add_argument("logs", type=Path, nargs="+")
    reporting = commands.add_parser("report", help="print what was counted")
    reporting.add_argument("store", type=Path)
    reporting.add_argument("--hours", action="store_true", help="a line for each hour")
    reporting.add_argument("--gate", help="this gate only")
    given = parser.parse_args(arguments)
    try:
        store = Store(given.store)
        if given.command == "import":
            lines = [str(imported) for imported in import_logs(store, given.logs)]
        else:
            lines = report(store, given.hours, given.gate)
    except FootfallError as error:
        sys.stderr.write(f"footfall: {error}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0
