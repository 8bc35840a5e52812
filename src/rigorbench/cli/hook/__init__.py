"""``rigor hook``: reviews a session whenever its agent stops."""

from __future__ import annotations

from ..commands import Command
from ..common import group_usage, subcommand

COMMANDS = (
    Command("install", "[AGENT...]", "let an agent start the hook when it stops"),
    Command("remove", "[AGENT...]", "take the hook out of the settings again"),
    Command("run", "", "what the agent starts: reviews the session that standard input names"),
)
_MORE = """Agents: claude-code, codex. The hook shows flags, each with the event that decides and the command to run.
It warns; with --block it also sends the agent back to work, at most once a turn. Whatever goes wrong, the agent may
stop. See docs/hooks.md.
"""
USAGE = group_usage("hook", COMMANDS, _MORE)


def command(arguments: list[str]) -> int:
    return subcommand(__name__, COMMANDS, USAGE, arguments)
