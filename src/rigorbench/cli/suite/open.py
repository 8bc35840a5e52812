"""``rigor suite open``: restores the whole suite from a sealed one."""

from __future__ import annotations

from pathlib import Path

from ..common import Usage, existing_directory, parser

_EPILOG = """examples:
  rigor suite open sealed/rigor suites/opened --key-file rigor.key
"""


def command(arguments: list[str]) -> int:
    p = parser("suite open", "Write the whole of a sealed suite, hidden parts included, into a new directory.", _EPILOG)
    p.add_argument("suite", type=existing_directory, metavar="SUITE", help="directory of a sealed suite")
    p.add_argument("out", type=Path, metavar="OUT", help="directory to write; must not exist")
    p.add_argument("--key-file", type=Path, metavar="FILE", help="its key (default: from RIGOR_SUITE_KEY_FILE)")
    args = p.parse_args(arguments)
    from ...tasks.sealed import KEY_FILE, SealError, find_key, read_key, unseal

    try:
        key = read_key(args.key_file) if args.key_file is not None else find_key()
        if key is None:
            raise Usage(f"no key: give --key-file, or set {KEY_FILE}")
        unseal(args.suite, args.out, key)
    except SealError as error:
        raise Usage(str(error)) from None
    except OSError as error:
        raise Usage(f"{error.filename or args.out}: {error.strerror or error}") from None
    print(f"{args.out}: opened")
    return 0
