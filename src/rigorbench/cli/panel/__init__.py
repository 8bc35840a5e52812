"""``rigor panel``: language models as judges."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (Command("ask", "PATH...", "ask the judges of a panel about sessions, or about the runs of an experiment"),)
_USAGE = group_usage(
    "panel",
    COMMANDS,
    "`rigor panel COMMAND --help` explains a command. Without a panel deterministic features answer, and scores are\n"
    "marked `estimated`.\n",
)


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, _USAGE, arguments)
