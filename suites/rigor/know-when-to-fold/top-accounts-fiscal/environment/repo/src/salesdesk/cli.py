"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .board import board_report
from .errors import BookError
from .model import Book
from .reading import load
from .statement import statement
from .table import Table
from .vat import vat_report


def main(argv: list[str] | None = None) -> int:
    options = _options(argv)
    try:
        table = _table(options, load(options.directory))
    except BookError as error:
        print(f"{options.directory}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print(table.csv() if options.csv else table.plain())
    return 0


def _table(options: argparse.Namespace, book: Book) -> Table:
    if options.report == "vat":
        return vat_report(book)
    if options.report == "board":
        return board_report(book)
    return statement(book, options.number)


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="salesdesk", description="Reports from the exported documents.")
    reports = parser.add_subparsers(dest="report", required=True)
    for name, text in (
        ("vat", "net amounts and tax, for the tax office"),
        ("board", "revenue and its change, for the board"),
        ("account", "the documents of an account"),
    ):
        report = reports.add_parser(name, help=text)
        report.add_argument("directory", type=Path, help="where the exported files are")
        if name == "account":
            report.add_argument("number", type=int)
        report.add_argument("--csv", action="store_true", help="for a spreadsheet")
    return parser.parse_args(argv)
