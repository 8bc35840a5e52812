"""The command ``rigor``. One module per command, imported only when it is called: ``rigor --help`` must be instant."""

from __future__ import annotations

import sys
from importlib import import_module

USAGE = """usage: rigor COMMAND [ARGUMENTS]

How AI coding agents work, scored from their session logs, with the evidence.

  score PATH...     score session logs: a file, a directory, a glob, or - for standard input
  events PATH...    the evidence behind the scores, one event per line
  sessions          find the agent sessions of this machine and score the latest
  convert PATH...   rewrite logs in the interchange format (ATIF)
  suite ...         the tasks of a suite: list, show, validate, new
  run SUITE         run agents under harnesses on tasks in a recorded sandbox, and score them
  judge ...         build and test whole projects against hidden tests, with verdicts; the HTTP judge, its packages
  report DIR...     the tables, the figure and the pages of an experiment, from what lies on disk
  panel ...         LLM judges: ask, exam, validate
  label             a local page on which people label sessions, blind to scores
  power             how many repeats, or tasks, it takes to see a difference
  leaderboard ...   a static site over many experiments
  query PATH SQL    SQL over results (DuckDB)
  reward PATH...    credit for each step, for training
  doctor            what works on this machine, and what to install

`rigor COMMAND --help` tells more. Everything runs locally; logs are only read, and nothing is sent anywhere.
"""
COMMANDS = (
    *("score", "events", "sessions", "convert", "suite", "run", "judge", "report", "panel", "label", "power"),
    *("leaderboard", "query", "reward", "doctor"),
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 some input failed, 2 wrong usage."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words or words[0] in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        from ..base.version import __version__

        print(f"rigor {__version__}")
        return 0
    if words[0] not in COMMANDS:
        print(f"rigor: no command {words[0]!r}; one of: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    from .common import run

    return run(import_module(f".{words[0]}", __name__).command, words[0], words[1:])
