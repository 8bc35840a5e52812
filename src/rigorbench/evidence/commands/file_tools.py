"""Programs that change, find or remove files, and ``kill``: their options decide what they are used for."""

from __future__ import annotations

from ..shell.types import Command
from .programs import Purpose, Tool, rule


def writes(command: Command) -> bool:
    """Whether a redirection puts the command's output into a file."""
    return any(
        r.operator in (">", ">>", "1>", ">|", "1>>", "&>") and not r.target.startswith(("/dev/", "&"))
        for r in command.redirects
    )


@rule
def sed(command: Command, tool: Tool) -> Purpose:
    for arg in command.args:
        if arg.startswith(("-i", "--in-place")) or (
            arg[0:1] == "-" and arg[1:2] != "-" and arg.endswith("i") and len(arg) < 5
        ):
            return Purpose("edit")
    return Purpose("edit" if writes(command) else "read")


@rule
def awk(command: Command, tool: Tool) -> Purpose:
    return Purpose("edit" if "inplace" in command.args[:2] or writes(command) else "read")


@rule
def rm(command: Command, tool: Tool) -> Purpose:
    return Purpose("edit", targets=[a for a in command.args if not a.startswith("-")])


@rule
def find(command: Command, tool: Tool) -> Purpose:
    args = command.args
    if "-delete" in args or ("-exec" in args and "rm" in args):
        return Purpose("edit")
    return Purpose("search", targets=[a for a in args if not a.startswith("-")][:1])


@rule
def kill(command: Command, tool: Tool) -> Purpose:
    return Purpose("probe" if "-0" in command.args or "-l" in command.args else "service")
