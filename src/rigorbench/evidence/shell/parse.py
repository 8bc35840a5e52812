"""Shell command lines, taken apart into the simple commands they run.

The grammar is tree-sitter's for bash. It is unreliable in two respects, which are handled outside it: here-documents
are taken out of the text first, and the precedence of ``&&``, ``|`` and redirections is rebuilt from the order of the
commands (the grammar reads ``a && b 2>&1 | c`` as ``(a && b) | c``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .types import Redirect, SimpleCommand, StatusLink
from .values import printed
from .walk import LineWalk

__all__ = ["Redirect", "SimpleCommand", "StatusLink", "parse", "printed", "statuses"]


def parse(command: str) -> tuple[SimpleCommand, ...]:
    """The simple commands of a line, in the order in which they would run. Never raises: any text gives a best effort.

    The result is shared between callers: do not change it.
    """
    return _cached(command) if len(command) <= _MAX_CACHED else _walked(command)


def statuses(commands: Sequence[SimpleCommand], exit_status: int | None) -> list[int | None]:
    """The exit status of each command of a line that ended with ``exit_status`` (None: unknown).

    A ``cd`` or ``export`` before ``&&`` is assumed to succeed, so in ``cd x && pytest`` the status is pytest's.
    """
    if exit_status is None:
        return [None] * len(commands)
    return [
        exit_status if c.status == "exact" or (exit_status == 0 and c.status == "if_zero") else None for c in commands
    ]


# Longer lines (mostly here-documents) hardly ever occur twice: they are not worth the memory.
_MAX_CACHED = 20_000


@lru_cache(4096)
def _cached(command: str) -> tuple[SimpleCommand, ...]:
    return _walked(command)


def _walked(command: str) -> tuple[SimpleCommand, ...]:
    line = LineWalk(command)
    line.run()
    return tuple(line.out)
