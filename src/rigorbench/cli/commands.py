"""How commands are declared: once, for the usage text, for the dispatch, for completion, and for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class CliCommand(NamedTuple):
    """A command."""

    name: str
    """What the user types."""
    arguments: str
    """As the usage text shows them."""
    about: str
    """What it does, in one line."""
    module: str = ""
    """Its module in the package of its table, where that has another name."""
    group: str = ""
    """The group that it is listed in; "": among the first."""


HELP = ("-h", "--help", "help")


def listing(commands: Sequence[CliCommand]) -> str:
    """A line for each command, for a usage text."""
    names = [f"{command.name} {command.arguments}".rstrip() for command in commands]
    width = max(map(len, names)) + 3
    return "\n".join(f"  {name:<{width}}{command.about}" for name, command in zip(names, commands, strict=True))


def find(commands: Sequence[CliCommand], name: str) -> CliCommand | None:
    """The command of this name, if there is one."""
    return next((command for command in commands if command.name == name), None)
