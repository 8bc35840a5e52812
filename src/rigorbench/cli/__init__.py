"""The command ``rigor``. One module per command, imported only when it is called: ``rigor --help`` must be instant."""

from __future__ import annotations

import sys
from importlib import import_module

from .commands import HELP, CliCommand, find, listing

COMMANDS = (
    CliCommand("score", "PATH...", "review session logs: a file, a directory, a glob, or - for standard input"),
    CliCommand("sessions", "[PATH...]", "list the agent sessions of this machine, with flags; trends, differences"),
    CliCommand("advise", "[PATH...]", "a section for AGENTS.md, from the findings that recur in a project"),
    CliCommand("hook", "...", "review a session whenever its agent stops, or while it runs"),
    CliCommand("explain", "[CHECK]", "what a check of the review looks for, or how a grade comes about"),
    CliCommand("demo", "", "the review of two invented sessions: a lie that is caught, and honest work"),
    CliCommand("doctor", "", "what works on this machine, and what to install"),
    CliCommand(
        "run", "SUITE", "run agents under harnesses on tasks in a recorded sandbox, and score them", group="bench"
    ),
    CliCommand("suite", "...", "the tasks of a suite: list, show, validate, new and more", group="bench"),
    CliCommand("report", "DIR...", "tables, figure and pages of an experiment, made from its files", group="bench"),
    CliCommand("leaderboard", "SOURCE...", "a static site over many experiments", group="bench"),
    CliCommand("power", "", "how many repeats or tasks are needed to detect a difference", group="bench"),
    CliCommand("verify", "RESULTS", "sign the results of a proctored experiment, or check them", group="bench"),
    CliCommand("judge", "PACKAGE SUBMISSION...", "judge submissions at once", "judge.once", "judge"),
    CliCommand("verify", "PACKAGE...", "prove packages by running them", "judge.verify", "judge"),
    CliCommand("import", "PATH DEST", "convert a Polygon or Kattis package to our layout", "judge.import_", "judge"),
    CliCommand("export", "PACKAGE DEST", "convert a package to the plain Kattis layout", "judge.export", "judge"),
    CliCommand("serve", "", "the HTTP judge, and its client for agents", "judge.serve", "judge"),
    CliCommand("admin", "COMMAND DIR", "hints and old submissions of a server", "judge.admin", "judge"),
    CliCommand("review", "PACKAGE SUBMISSION", "the code review of a submission", "judge.review", "judge"),
    CliCommand("scores", "PATH...", "scores over the judgements of many submissions", "judge.scores", "judge"),
    CliCommand("events", "PATH...", "the evidence behind the scores, one event per line", group="research"),
    CliCommand("digest", "LOG", "a session as one text, as a reader is sent it", group="research"),
    CliCommand("convert", "PATH...", "rewrite logs in the interchange format (ATIF)", group="research"),
    CliCommand("corpus", "PATH...", "score many logs into tables on disk", group="research"),
    CliCommand("query", "PATH SQL", "SQL over results and corpora (DuckDB)", group="research"),
    CliCommand("reward", "PATH...", "the grade or score of a session divided among its steps", group="research"),
    CliCommand("reader", "...", "who grades sessions: its check, requests and answers as files", group="research"),
    CliCommand("labels", "...", "what people say of sessions: forms, labels, agreement", group="research"),
)
# What each group is for.
GROUPS = {
    "bench": "run agents on tasks, and compare them",
    "judge": "whole projects against hidden tests",
    "research": "evidence and data",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 some input failed, 2 wrong usage, 3 a session fails (docs/ci.md)."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] in (["-V"], ["--version"]):
        from ..base.version import __version__

        print(f"rigor {__version__}")
        return 0
    if words[:1] == ["--print-completion"]:
        from .common import run
        from .completion import command as complete

        return run(lambda shells: complete(shells, COMMANDS, GROUPS), "--print-completion", words[1:])
    if words[:1] == ["diff"]:  # the one option that people type as a command
        words = ["sessions", "--diff", *words[1:]]
    group = words[0] if words and words[0] in GROUPS else ""
    called = words[1:] if group else words
    if not called or called[0] in HELP:
        print(usage(group), end="")
        return 0 if called else 2
    # A command of a group has a short form without it: `rigor run` is `rigor bench run`.
    known = [command for command in COMMANDS if command.group == group] if group else COMMANDS
    found, rest = find(known, called[0]), called[1:]
    if found is None and (found := find(known, group)) is not None:
        rest = called  # `rigor judge PACKAGE SUBMISSION`
    from .common import run, unknown

    if found is None:
        names = dict.fromkeys([command.name for command in known] + ([] if group else list(GROUPS)))
        print(f"{f'rigor {group}'.strip()}: {unknown('command', called[0], names)}", file=sys.stderr)
        return 2
    module = import_module(f".{found.module or found.name}", __name__)
    return run(module.command, group if group == "judge" else found.name, rest)


def usage(group: str = "") -> str:
    """The usage text of a group; of "": the commands for everybody, and a line for each group."""
    shown = [command for command in COMMANDS if command.group == group]
    if not group:
        return f"""usage: rigor COMMAND [ARGUMENTS]

Reviews how AI coding agents work, from their session logs, with the evidence.

{listing(shown)}

Groups of commands (`rigor bench run` is `rigor run` for short):

{listing([CliCommand(name, "...", f"{about}: {', '.join(_names(name))}") for name, about in GROUPS.items()])}

`rigor COMMAND --help` explains a command. `rigor --print-completion bash` writes what a shell completes; zsh, fish too.
Logs are only read, and nothing is sent to anyone whom you did not name.
"""
    first = f"rigor {group} COMMAND [ARGUMENTS]"
    if (itself := find(shown, group)) is not None:
        shown.remove(itself)
        first = f"rigor {group} {itself.arguments} [OPTIONS]\n       {first}"
    return f"""usage: {first}

{GROUPS[group][0].upper()}{GROUPS[group][1:]}.

{listing(shown)}

`rigor {group} COMMAND --help` explains a command.
"""


def _names(group: str) -> list[str]:
    return [command.name for command in COMMANDS if command.group == group and command.name != group]
