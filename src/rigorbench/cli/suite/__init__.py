"""``rigor suite``: list, show and prove the tasks of a suite, begin new ones, and seal suites."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (
    Command("list", "SUITE", "the tasks that are proved, and those that are not"),
    Command("show", "SUITE TASK", "what a task asks for and how it is scored, without its hidden tests"),
    Command(
        "validate", "SUITE", "prove tasks by running them: starter, golden solution, near misses, faults, policies"
    ),
    Command("new", "DIR", "begin a task: write every file that it needs, to be filled in"),
    Command(
        "prepare", "SUITE|TASK...", "build the tasks of recipes, or write the files of a task that follow from others"
    ),
    Command("seal", "SUITE OUT", "copy a suite, with its hidden parts in an encrypted archive; or open such a copy"),
)
_USAGE = group_usage(
    "suite",
    COMMANDS,
    "SUITE is the name of an installed suite or a directory. `rigor suite COMMAND --help` explains a command.\n",
)


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, _USAGE, arguments)
