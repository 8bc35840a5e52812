"""``rigor judge``: submissions judged at once; and the commands around packages, languages and the HTTP judge."""

from __future__ import annotations

from ..commands import HELP, Command, find
from ..common import group_usage, subcommand

COMMANDS = (
    Command("verify", "PACKAGE...", "prove packages by running them: reference, mutants, validators, limits"),
    Command("import", "PATH DEST", "convert a Polygon package to our layout", "import_"),
    Command("export", "PACKAGE DEST", "convert a package to the plain Kattis layout"),
    Command("languages", "", "the languages that this machine can judge"),
    Command("serve", "", "the HTTP judge"),
    Command("admin", "COMMAND DIR", "hints and old submissions of a server: hints, rejudge, prune"),
    Command("client", "", "where the client for agents is, and what it understands"),
    Command("review", "", "the code review of a submission"),
    Command("scores", "", "scores over the judgements of many submissions"),
)
_USAGE = group_usage(
    "judge",
    COMMANDS,
    usage="""rigor judge PACKAGE SUBMISSION... [OPTIONS]
       rigor judge COMMAND [ARGUMENTS]

Build a submission, run it against the hidden tests of a package in sandboxes, and report the verdict.
`rigor judge PACKAGE --help` lists the options.""",
)


def command(arguments: list[str]) -> int:
    if not arguments or arguments[0] in HELP or find(COMMANDS, arguments[0]) is not None:
        return subcommand(__name__, COMMANDS, _USAGE, arguments)
    from .once import command as once

    return once(arguments)
