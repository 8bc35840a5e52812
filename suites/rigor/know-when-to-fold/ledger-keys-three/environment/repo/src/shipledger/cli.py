"""The command line."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from .errors import LedgerError
from .keyring import read_keyring
from .ledger import Ledger
from .views import history, row, running


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="shipledger", description="A ledger of releases to the lab fleet.")
    parser.add_argument("--ledger", type=Path, default=Path("ledger"), help="directory of the segments")
    parser.add_argument("--keyring", type=Path, default=Path("ops/keyring.toml"), help="file of the keys")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("running", help="what runs now")
    telling = commands.add_parser("history", help="all releases of a service")
    telling.add_argument("service")
    commands.add_parser("verify", help="check every seal")
    adding = commands.add_parser("append", help="record a release")
    adding.add_argument("service")
    adding.add_argument("version")
    adding.add_argument("image")
    adding.add_argument("--by", required=True)
    options = parser.parse_args(argv)
    try:
        return _run(options, Ledger(options.ledger, read_keyring(options.keyring)))
    except (LedgerError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _run(options: argparse.Namespace, ledger: Ledger) -> int:
    if options.command == "running":
        for record in running(ledger.records()).values():
            print(row(record))
    elif options.command == "history":
        for record in history(ledger.records(), options.service):
            print(row(record))
    elif options.command == "append":
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        print(row(ledger.append(options.service, options.version, options.image, now, options.by)))
    else:
        found = ledger.verify()
        for finding in found:
            print(f"record {finding.record.id}: {finding.why}")
        print(f"{len(ledger.records())} records, {len(found)} not confirmed")
        return 1 if found else 0
    return 0
