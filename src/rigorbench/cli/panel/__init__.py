"""``rigor panel``: language models as judges: asked, examined, and compared with people."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (
    Command("ask", "PATH...", "ask the judges of a panel about sessions, or about the runs of an experiment"),
    Command("exam", "", "the entrance exam that a judge must pass before its votes count"),
    Command("validate", "", "compare the judges with each other and with labels made by people"),
)
_USAGE = group_usage(
    "panel",
    COMMANDS,
    "`rigor panel COMMAND --help` explains a command. Without a panel deterministic features answer, and scores are\n"
    "marked `estimated`.\n",
)


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, _USAGE, arguments)
