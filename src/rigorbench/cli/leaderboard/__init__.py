"""``rigor leaderboard``: a static site over many experiments, and whether it still matches its sources."""

from __future__ import annotations

from ...base.extras import install
from ..commands import Command
from ..common import Usage, group_usage, subcommand

COMMANDS = (
    Command("build", "SOURCE... --out SITE", "write the site (plain files; it needs no server and loads nothing)"),
    Command("check", "SOURCE... --site SITE", "whether a site still matches its sources"),
)
_USAGE = group_usage(
    "leaderboard",
    COMMANDS,
    "SOURCE is an experiment (the --out directory of `rigor run`), a folder of experiments, or Parquet files or a\n"
    ".duckdb file that `rigor query --export` wrote. `rigor leaderboard COMMAND --help` explains a command.\n",
)


def command(arguments: list[str]) -> int:
    try:
        return subcommand(__name__, COMMANDS, _USAGE, arguments)
    except ModuleNotFoundError as error:
        raise Usage(f"needs {error.name}: {install('report')}") from None
