"""``rigor suite new``: begin a task."""

from __future__ import annotations

import sys
from pathlib import Path

from ...authoring.scaffold import LANGUAGES, ScaffoldError, new_task
from ..common import UsageError, message, parser

_EPILOG = """examples:
  rigor suite new suites/mine/verify-or-die/leap-days
  rigor suite new suites/mine/doom-loop/stuck-queue --language rust
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite new",
        "Begin a task: write every file that it needs, to be filled in. `rigor suite validate` says what is missing.",
        _EPILOG,
    )
    p.add_argument("directory", type=Path, metavar="DIR", help="SUITE/<category>/<task>, which must not exist")
    p.add_argument("--language", choices=LANGUAGES, default="python", help="language of the starter (default: python)")
    args = p.parse_args(arguments)
    try:
        written = new_task(args.directory, args.language)
    except ScaffoldError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or args.directory}: {error.strerror or error}") from None
    for path in written:
        print(path)
    sys.stdout.flush()
    message(f"next: fill it in (docs/tasks.md), then rigor suite validate {args.directory}")
    return 0
