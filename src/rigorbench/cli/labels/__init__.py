"""``rigor labels``: what people say of sessions, and how far they agree."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (
    Command("export", "PATH...", "sessions as forms for people: for Label Studio, or a sheet"),
    Command("import", "FILE", "store the labels of a filled form", "import_"),
    Command("agreement", "PATH...", "how far people agree with each other, and readers with people"),
)
_USAGE = group_usage("labels", COMMANDS, "`rigor labels COMMAND --help` explains a command.\n")


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, _USAGE, arguments)
