"""The command ``rigor``. One module per command, imported only when it is called: ``rigor --help`` must be instant."""

from __future__ import annotations

import sys
from importlib import import_module

from .commands import HELP, Command, find, listing

COMMANDS = (
    Command("score", "PATH...", "score session logs: a file, a directory, a glob, or - for standard input"),
    Command("demo", "", "the review of two invented sessions: a lie that is caught, and honest work"),
    Command("explain", "[CHECK]", "what a check of the review looks for, or how a grade comes about"),
    Command("events", "PATH...", "the evidence behind the scores, one event per line"),
    Command("digest", "LOG", "a session as one text within a budget, with its secrets masked: what a reader is sent"),
    Command("sessions", "[PATH...]", "list the agent sessions of this machine, with flags"),
    Command("diff", "A B", "two sessions side by side: facts, checks, size, duration, cost"),
    Command("trends", "[PATH...]", "flags, and grades of readers, by week, project, model, agent and cost"),
    Command("advise", "[PATH...]", "a section for AGENTS.md, from the findings that recur in a project"),
    Command("watch", "[LOG]", "follow a running session, and tell flags as they appear"),
    Command("false-alarm", "LOG FINDING", "write a finding that is wrong as a test case", "false_alarm"),
    Command("convert", "PATH...", "rewrite logs in the interchange format (ATIF)"),
    Command("suite", "...", "the tasks of a suite: list, show, validate, new and more"),
    Command("run", "SUITE", "run agents under harnesses on tasks in a recorded sandbox, and score them"),
    Command("hook", "...", "review a session whenever its agent stops: install, remove, run"),
    Command("judge", "...", "build whole projects, run them against hidden tests, and report verdicts"),
    Command("report", "DIR...", "tables, figure and pages of an experiment, made from its files"),
    Command("verify", "RESULTS", "sign the results of a proctored experiment, or check that nothing was changed"),
    Command("reader", "...", "who reads sessions and grades them: requests and answers as files"),
    Command("labels", "...", "what people say of sessions: forms, labels, agreement with readers"),
    Command("power", "", "how many repeats or tasks are needed to detect a difference"),
    Command("leaderboard", "...", "a static site over many experiments"),
    Command("query", "PATH SQL", "SQL over results (DuckDB)"),
    Command("reward", "PATH...", "the grade or score of a session divided among its steps, for training"),
    Command("completion", "SHELL", "a script with which bash, zsh or fish completes what you type"),
    Command("doctor", "", "what works on this machine, and what to install"),
)
USAGE = f"""usage: rigor COMMAND [ARGUMENTS]

Scores how AI coding agents work, from their session logs, with the evidence.

{listing(COMMANDS)}

`rigor COMMAND --help` explains a command. Logs are only read, and nothing is sent to anyone whom you did not name.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 some input failed, 2 wrong usage, 3 a session fails (docs/ci.md)."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words or words[0] in HELP:
        print(USAGE, end="")
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        from ..base.version import __version__

        print(f"rigor {__version__}")
        return 0
    found = find(COMMANDS, words[0])
    if found is None:
        from .common import unknown

        print(f"rigor: {unknown('command', words[0], [c.name for c in COMMANDS])}", file=sys.stderr)
        return 2
    from .common import run

    return run(import_module(f".{found.module or found.name}", __name__).command, found.name, words[1:])
