"""``rigor reader``: who reads sessions and grades them."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (
    Command("ask", "OUT", "have the runs of an experiment read, and score them by the answers"),
    Command("check", "NAME", "whether a reader grades as raters do, and cannot be swayed by what it reads"),
    Command("export", "PATH...", "what a reader would be asked about sessions, one request per line"),
    Command("import", "FILE", "answers that were given elsewhere: by a person, a batch, a cluster", "import_"),
)
_USAGE = group_usage(
    "reader",
    COMMANDS,
    "`rigor reader COMMAND --help` explains a command. `rigor score LOG --reader NAME` asks a reader, and uses the\n"
    "answers that are stored.\n",
)


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, _USAGE, arguments)
