"""``rigor judge``: submissions judged at once; and the commands around packages, languages and the HTTP judge."""

from __future__ import annotations

import sys

from .common import subcommand

COMMANDS = ("verify", "import", "export", "calibrate", "serve", "client", "review", "scores", "languages")
_USAGE = """usage: rigor judge PACKAGE SUBMISSION... [OPTIONS]
       rigor judge COMMAND [ARGUMENTS]

Build a submission, run it against the hidden tests of a package in sandboxes, and tell the verdict.
`rigor judge PACKAGE --help` tells the options.

  verify PACKAGE...     prove a package by running it: reference, mutants, validators, limits
  import PATH DEST      a Polygon or ACMOJ package in our layout
  export PACKAGE DEST   a package in the plain Kattis layout
  languages             the languages that this machine can judge
  calibrate             time and memory multipliers of the languages, measured here
  serve                 the HTTP judge
  client                where the client for agents lies, and what it understands
  review                the code review of a submission
  scores                scores over the judgements of many submissions
"""


def command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_USAGE, end="")
        sys.stdout.flush()
        return 0 if arguments else 2
    if arguments[0] in COMMANDS:
        return subcommand("judge", arguments, _USAGE, COMMANDS)
    from .judge_once import command as once

    return once(arguments)
