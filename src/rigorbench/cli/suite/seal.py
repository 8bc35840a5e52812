"""``rigor suite seal``: a copy of a suite with its hidden parts in an encrypted archive."""

from __future__ import annotations

from pathlib import Path

from ...base.text import count as plural
from ..common import Usage, existing_directory, message, parser

_EPILOG = """examples:
  rigor suite seal suites/rigor sealed/rigor --key-file rigor.key
  RIGOR_SUITE_KEY_FILE=rigor.key rigor run sealed/rigor --model scripted/disciplined
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite seal",
        "Copy a suite: what agents may see stays readable; hidden tests, solutions and the rest are encrypted.",
        _EPILOG,
    )
    p.add_argument("suite", type=existing_directory, metavar="SUITE", help="directory of a suite")
    p.add_argument("out", type=Path, metavar="OUT", help="directory of the sealed copy; must not exist")
    p.add_argument("--key-file", type=Path, required=True, metavar="FILE", help="the key; created if it does not exist")
    args = p.parse_args(arguments)
    from ...authoring.seal import new_key, seal
    from ...tasks.sealed import SealError, read_key

    try:
        made = not args.key_file.exists()
        key = new_key() if made else read_key(args.key_file)
        count = seal(args.suite, args.out, key)
        if made:
            args.key_file.touch(mode=0o600)
            args.key_file.write_text(f"{key}\n", encoding="ascii")
            message(f"{args.key_file}: a new key; without it the suite cannot be opened")
    except SealError as error:
        raise Usage(str(error)) from None
    except OSError as error:
        raise Usage(f"{error.filename or args.out}: {error.strerror or error}") from None
    print(f"{args.out}: {plural(count, 'task')} sealed")
    return 0
