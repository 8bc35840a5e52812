"""``rigor suite``: the tasks of a suite: listed, shown, proved, begun anew, and locked away."""

from __future__ import annotations

from .common import subcommand

_USAGE = """usage: rigor suite COMMAND [ARGUMENTS]

  list SUITE            the tasks that are proved, and which are not
  show SUITE TASK       what a task asks for and how it is scored, without its hidden tests
  validate SUITE        prove every task by running it: starter, golden solution, near misses, faults, policies
  new DIR               begin a task: every file it needs, to be filled in
  prepare TASK...       write the files of a task that follow from others, and its canary into every hidden file
  seal SUITE OUT        a copy of a suite whose hidden parts lie in an encrypted archive
  open SUITE OUT        the whole suite out of a sealed one

SUITE is the name of an installed suite or a directory. `rigor suite COMMAND --help` tells more.
"""
COMMANDS = ("list", "show", "validate", "new", "prepare", "seal", "open")


def command(arguments: list[str]) -> int:
    return subcommand("suite", arguments, _USAGE, COMMANDS)
