"""Shell command lines, taken apart into the simple commands they run.

The grammar is tree-sitter's for bash. Two things are done around it, because it loses its way there: here-documents are
taken out of the text beforehand, and the precedence of ``&&``, ``|`` and redirections is rebuilt from the order of the
commands (the grammar puts ``a && b 2>&1 | c`` together as ``(a && b) | c``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .types import Command, Redirect, StatusLink
from .values import printed
from .walk import Line

__all__ = ["Command", "Redirect", "StatusLink", "directory_after", "parse", "printed", "statuses"]


def parse(command: str) -> tuple[Command, ...]:
    """The simple commands of a line, in the order they would run. Total: any text gives a best effort.

    The result is shared between callers: do not change it.
    """
    return _parsed(command)[0]


def directory_after(command: str) -> str | None:
    """Where the shell stands after the line (``cd`` outside sub-shells), like :attr:`Command.cwd`; None: unmoved."""
    return _parsed(command)[1]


def statuses(commands: Sequence[Command], exit_status: int | None) -> list[int | None]:
    """The exit status of each command of a line that ended with ``exit_status`` (None: unknown).

    A ``cd`` or ``export`` before ``&&`` is taken to have worked, so in ``cd x && pytest`` the status is pytest's.
    """
    if exit_status is None:
        return [None] * len(commands)
    return [
        exit_status if c.status == "exact" or (exit_status == 0 and c.status == "if_zero") else None for c in commands
    ]


# Longer lines are cut (bodies of here-documents not counted): nobody types them, and error recovery takes its time.


# Longer lines (mostly here-documents) hardly ever come twice: they are not worth the memory.
_MAX_CACHED = 20_000


def _parsed(command: str) -> tuple[tuple[Command, ...], str | None]:
    return _cached(command) if len(command) <= _MAX_CACHED else _walked(command)


@lru_cache(4096)
def _cached(command: str) -> tuple[tuple[Command, ...], str | None]:
    return _walked(command)


def _walked(command: str) -> tuple[tuple[Command, ...], str | None]:
    line = Line(command)
    line.run()
    return tuple(line.out), line.cwd
