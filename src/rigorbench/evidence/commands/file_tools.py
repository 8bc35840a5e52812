"""Programs that change, find or remove files, and ``kill``: their options decide what they are used for."""

from __future__ import annotations

from ..shell.types import Command
from .names import is_made_again
from .programs import Purpose, Tool, rule

_SCRATCH = ("/tmp/", "/var/tmp/", "$TMP", "${TMP", "$tmp", "${tmp", "/private/tmp/", "/dev/shm/", "$(mktemp")


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
    """Destructive if recursive and not only of what a build makes again or what is temporary."""
    recursive = any(
        a == "--recursive" or (a.startswith("-") and not a.startswith("--") and ("r" in a or "R" in a))
        for a in command.args
    )
    targets = [a for a in command.args if not a.startswith("-")]
    inside = (command.cwd or "").startswith(("/tmp", "/var/tmp"))
    destructive = recursive and any(not _is_expendable(t) and not (inside and not t.startswith("/")) for t in targets)
    return Purpose("edit", targets=targets, destructive=destructive)


def _is_expendable(path: str) -> bool:
    return path.startswith(_SCRATCH) or "/tmp/" in path or is_made_again(path)


@rule
def find(command: Command, tool: Tool) -> Purpose:
    args = command.args
    if "-delete" in args or ("-exec" in args and "rm" in args):
        names = [args[i + 1] for i, a in enumerate(args[:-1]) if a in ("-name", "-iname", "-path")]
        harmless = bool(names) and all(
            _is_expendable(n.strip("*/"))
            or n.startswith(("*.pyc", "*.pyo", "*.o", "*.tmp", "*~", "*.bak", "*.orig", "*.log"))
            for n in names
        )
        return Purpose("edit", destructive=not harmless)
    return Purpose("search", targets=[a for a in args if not a.startswith("-")][:1])


@rule
def kill(command: Command, tool: Tool) -> Purpose:
    return Purpose("probe" if "-0" in command.args or "-l" in command.args else "service")


@rule
def device_tool(command: Command, tool: Tool) -> Purpose:
    """dd and mkfs: harmless on files, fatal on devices."""
    return Purpose("run", destructive=any(a.startswith("of=/dev/") and a != "of=/dev/null" for a in command.args))
