"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .model import StockError
from .report import history, order_list, stock_report
from .service import Stockroom
from .store import load, save


def main(argv: list[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        room = Stockroom(load(options.file))
        text = _run(room, options)
        save(room.stock, options.file)
    except StockError as error:
        print(f"stockroom: {error}", file=sys.stderr)
        return 1
    if text:
        print(text)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="stockroom", description="The stock of a small workshop.")
    parser.add_argument("--file", type=Path, default=Path("stock.json"))
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="a new item")
    add.add_argument("sku")
    add.add_argument("name")
    add.add_argument("--minimum", type=int, default=0)
    receive = commands.add_parser("receive", help="something came in")
    receive.add_argument("sku")
    receive.add_argument("quantity", type=int)
    issue = commands.add_parser("issue", help="something goes out")
    issue.add_argument("sku")
    issue.add_argument("quantity", type=int)
    issue.add_argument("--to", required=True)
    commands.add_parser("report", help="the whole stock")
    commands.add_parser("order", help="what has to be ordered")
    shown = commands.add_parser("history", help="the movements of an item")
    shown.add_argument("sku")
    return parser


def _run(room: Stockroom, options: argparse.Namespace) -> str:
    if options.command == "add":
        room.add(options.sku, options.name, options.minimum)
    elif options.command == "receive":
        room.receive(options.sku, options.quantity)
    elif options.command == "issue":
        room.issue(options.sku, options.quantity, options.to)
    elif options.command == "report":
        return stock_report(room)
    elif options.command == "order":
        return order_list(room)
    else:
        return history(room, options.sku)
    return ""
