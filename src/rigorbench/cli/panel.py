"""``rigor panel``: language models as judges: asked, examined, and held against people."""

from __future__ import annotations

import sys
from importlib import import_module

from .common import Usage

_USAGE = """usage: rigor panel COMMAND [ARGUMENTS]

  ask PATH...           put what there is to judge in sessions, or in an experiment, to the judges of a panel
  exam                  the entrance exam that a judge must pass before its votes count
  validate              compare the judges with each other and with labels made by people

`rigor panel COMMAND --help` tells more. Without a panel the deterministic features answer, and scores say `estimated`.
"""
COMMANDS = ("ask", "exam", "validate")


def command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_USAGE, end="")
        sys.stdout.flush()
        return 0 if arguments else 2
    name = arguments[0]
    if name not in COMMANDS:
        raise Usage(f"no command {name!r}; one of: {', '.join(COMMANDS)}")
    module = import_module(f".panel_{name}", __package__)
    result: int = module.command(arguments[1:])
    return result
