"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .model import TabError
from .report import report, settlement
from .storage import load


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="housetab", description="The tab of a shared household.")
    parser.add_argument("command", choices=["report", "settle"])
    parser.add_argument("tab", type=Path, help="a file with one expence per line")
    options = parser.parse_args(argv)
    try:
        expenses = load(options.tab)
        print(report(expenses) if options.command == "report" else settlement(expenses))
    except TabError as error:
        print(f"{options.tab}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{options.tab}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
