"""``rigor suite seeds``: the seeds that releases name, sealed until a date."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, existing_directory, message, parser, variant_seed, whole, write_json

if TYPE_CHECKING:
    from ...tasks.seeds import Release

_EPILOG = """examples:
  rigor suite seeds suites/real
  rigor suite seeds suites/real --release 2026.2 --count 3 --until 2027-06-30 --key-file rigor.key
  RIGOR_SUITE_KEY_FILE=rigor.key rigor run real --variant 2026.2-a --model ...
  rigor suite seeds suites/real --open 2026.2 --key-file rigor.key

A release names variants (2026.2-a, 2026.2-b, ...) in seeds.json in the suite's directory. The seeds behind the names
are sealed with the key until the date, and opened then; results name a variant by its name.
Exit status: 0; 1 a release is sealed beyond its date; 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    p = parser("suite seeds", "List the seeds that releases name, draw those of a release, or open them.", _EPILOG)
    p.add_argument("suite", type=existing_directory, metavar="SUITE", help="directory of a suite of recipes")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--release", type=_release, metavar="NAME", help="draw and seal the seeds of this release")
    what.add_argument("--open", metavar="NAME", help="write the seeds of this release in plain text")
    p.add_argument("--count", type=whole("a number of seeds", 1, 26), default=3, metavar="N", help="seeds (default: 3)")
    p.add_argument("--until", type=_date, metavar="DATE", help="when the seeds of a new release are opened")
    p.add_argument("--key-file", type=Path, metavar="FILE", help="the key; created for a release if it does not exist")
    add_json(p)
    args = p.parse_args(arguments)
    from ...tasks.sealed import SealError
    from ...tasks.seeds import releases_of

    try:
        if args.release is not None or args.open is not None:
            _change(args)
        releases = releases_of(args.suite)
    except SealError as error:
        raise Usage(str(error)) from None
    except OSError as error:
        raise Usage(f"{error.filename or args.suite}: {error.strerror or error}") from None
    if args.json:
        write_json({"schema": "rigor-seed-releases/1", "releases": [_row(release) for release in releases]})
    else:
        for release in releases:
            state = f"sealed until {release.until}" if release.sealed is not None else "open"
            print(f"{release.name}  {state}  {' '.join(release.seeds.get(n, n) for n in release.names)}")
    sys.stdout.flush()
    overdue = [release.name for release in releases if release.overdue]
    for name in overdue:
        message(f"{name}: its date has come; rigor suite seeds {args.suite} --open {name} --key-file FILE")
    return 1 if overdue else 0


def _row(release: Release) -> dict[str, object]:
    facts = {"name": release.name, "until": release.until.isoformat(), "sealed": release.sealed is not None}
    return {**facts, "names": release.names, "seeds": release.seeds}


def _change(args: argparse.Namespace) -> None:
    from ...authoring.seal import new_key
    from ...tasks.sealed import read_key
    from ...tasks.seeds import open_seeds, seal_seeds

    if args.key_file is None:
        raise Usage("--key-file FILE: required to seal and to open seeds")
    if args.open is not None:
        open_seeds(args.suite, args.open, read_key(args.key_file))
        return
    if args.until is None:
        raise Usage("--until DATE: required; the date on which the seeds are opened")
    made = not args.key_file.exists()
    key = new_key() if made else read_key(args.key_file)
    if made:
        args.key_file.touch(mode=0o600)
        args.key_file.write_text(f"{key}\n", encoding="ascii")
        message(f"{args.key_file}: a new key; without it the seeds cannot be opened")
    seal_seeds(args.suite, args.release, args.count, args.until, key)


def _release(value: str) -> str:
    # The names of its variants are two characters longer.
    if len(variant_seed(value)) > 30:
        raise argparse.ArgumentTypeError(f"at most 30 characters, not {value!r}")
    return value


def _date(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a date such as 2027-06-30, not {value!r}") from None
