"""``rigor suite``: list, show and prove the tasks of a suite, begin new ones, and seal suites."""

from __future__ import annotations

from importlib import import_module

from ..commands import HELP, CliCommand, find, listing
from ..common import unknown

COMMANDS = (
    CliCommand("list", "SUITE", "the tasks that are proved, and those that are not"),
    CliCommand("show", "SUITE TASK", "what a task asks for and how it is scored, without its hidden tests"),
    CliCommand(
        "validate", "SUITE", "prove tasks by running them: starter, golden solution, near misses, faults, policies"
    ),
    CliCommand("new", "DIR", "begin a task: write every file that it needs, to be filled in"),
    CliCommand(
        "prepare", "SUITE|TASK...", "build the tasks of recipes, or write the files of a task that follow from others"
    ),
    CliCommand("seal", "SUITE OUT", "copy a suite, with its hidden parts in an encrypted archive; or open such a copy"),
)
_USAGE = f"""usage: rigor suite COMMAND [ARGUMENTS]

{listing(COMMANDS)}

SUITE is the name of an installed suite or a directory. `rigor suite COMMAND --help` explains a command.
"""


def command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in HELP:
        print(_USAGE, end="", flush=True)
        return 0 if arguments else 2
    found = find(COMMANDS, arguments[0])
    if found is None:
        raise unknown("command", arguments[0], [each.name for each in COMMANDS])
    status: int = import_module(f".{found.name}", __name__).command(arguments[1:])
    return status
