"""The command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .code import decode
from .errors import CodeError
from .labels import label, read_parcels, sheet
from .parcel import RANGES, Parcel


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="lockercode", description="Pickup codes for parcel lockers.")
    commands = parser.add_subparsers(dest="command", required=True)
    encoding = commands.add_parser("encode", help="the label of a parcel")
    for name in RANGES:
        encoding.add_argument(f"--{name}", type=int, required=True)
    decoding = commands.add_parser("decode", help="the parcel of a code")
    decoding.add_argument("code")
    printing = commands.add_parser("labels", help="the labels of all parcels of a CSV file")
    printing.add_argument("file", type=Path)
    options = parser.parse_args(argv)
    try:
        print(_run(options))
    except (CodeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> str:
    if options.command == "encode":
        return label(Parcel(**{name: getattr(options, name) for name in RANGES}))
    if options.command == "decode":
        parcel = decode(options.code)
        return ", ".join(f"{name} {getattr(parcel, name)}" for name in RANGES)
    return sheet(read_parcels(options.file))
