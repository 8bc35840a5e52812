"""``rigor suite seal``: a copy of a suite with its hidden parts in an encrypted archive, and the way back."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...authoring.seal import new_key, seal
from ...base.text import count as plural
from ...bench.tasks.sealed import KEY_FILE, find_key, read_key, unseal
from ..common import UsageError, existing_directory, message, parser

_EPILOG = """examples:
  rigor suite seal suites/rigor sealed/rigor --key-file rigor.key
  RIGOR_SUITE_KEY_FILE=rigor.key rigor run sealed/rigor --model scripted/disciplined
  rigor suite seal --open sealed/rigor suites/opened --key-file rigor.key
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite seal",
        "Copy a suite: what agents may see stays readable; hidden tests, solutions and the rest are encrypted. "
        "With --open: write the whole of a sealed suite.",
        _EPILOG,
    )
    p.add_argument("suite", type=existing_directory, metavar="SUITE", help="directory of a suite")
    p.add_argument("out", type=Path, metavar="OUT", help="directory of the copy; must not exist")
    p.add_argument("--open", action="store_true", help="SUITE is sealed: write it with its hidden parts")
    p.add_argument(
        "--key-file",
        type=Path,
        metavar="FILE",
        help="the key; created if it does not exist (with --open by default that of RIGOR_SUITE_KEY_FILE)",
    )
    args = p.parse_args(arguments)
    try:
        return _open(args) if args.open else _seal(args)
    except OSError as error:
        raise UsageError(f"{error.filename or args.out}: {error.strerror or error}") from None


def _seal(args: argparse.Namespace) -> int:
    if args.key_file is None:
        raise UsageError("--key-file FILE: required to seal a suite")
    made = not args.key_file.exists()
    key = new_key() if made else read_key(args.key_file)
    count = seal(args.suite, args.out, key)
    if made:
        args.key_file.touch(mode=0o600)
        args.key_file.write_text(f"{key}\n", encoding="ascii")
        message(f"{args.key_file}: a new key; without it the suite cannot be opened")
    print(f"{args.out}: {plural(count, 'task')} sealed")
    return 0


def _open(args: argparse.Namespace) -> int:
    key = read_key(args.key_file) if args.key_file is not None else find_key()
    if key is None:
        raise UsageError(f"no key: give --key-file, or set {KEY_FILE}")
    unseal(args.suite, args.out, key)
    print(f"{args.out}: opened")
    return 0
