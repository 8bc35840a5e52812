"""``rigor panel``: language models as judges: asked, examined, and held against people."""

from __future__ import annotations

from .common import subcommand

_USAGE = """usage: rigor panel COMMAND [ARGUMENTS]

  ask PATH...           put what there is to judge in sessions, or in an experiment, to the judges of a panel
  exam                  the entrance exam that a judge must pass before its votes count
  validate              compare the judges with each other and with labels made by people

`rigor panel COMMAND --help` tells more. Without a panel the deterministic features answer, and scores say `estimated`.
"""
COMMANDS = ("ask", "exam", "validate")


def command(arguments: list[str]) -> int:
    return subcommand("panel", arguments, _USAGE, COMMANDS)
