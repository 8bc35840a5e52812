"""Which command stopped a line of ``a && b``, and so whether its tests were started and whose its exit status is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ..commands.classify import Classified
from ..commands.programs import programs
from .outcome import detect_runner
from .runners.clean import clean

# Kinds of commands that fail only with a message of their own.
_TALKATIVE = frozenset(("read", "probe", "noop", "edit", "search"))


def never_started(parts: Sequence[Classified], at: int, output: str) -> bool:
    """Whether a command before the test at ``at`` reported an error with which the ``&&`` chain ended."""
    if not any(p.command.status == "if_zero" for p in parts[:at]):
        return False
    text = clean(output)
    return (
        any(p.command.status == "if_zero" and _complains(p, text) for p in parts[:at]) and detect_runner(text) is None
    )


def chain_status(
    parts: Sequence[Classified], at: int, output: str, exit_status: int | None, passed: Collection[int] = ()
) -> int | None:
    """The exit status of a failed ``&&`` chain, if only the command at ``at`` can have failed; else None.

    ``passed``: those of which it is known that they passed.
    """
    if not exit_status or parts[at].command.status != "if_zero" or not output.strip():
        return None
    text = clean(output)
    listers = programs().groups.file_listers
    for part in (p for n, p in enumerate(parts) if n != at and n not in passed):
        known = part.kind in _TALKATIVE or part.command.program in listers
        if not known or part.command.status != "if_zero" or _complains(part, text):
            return None
    return exit_status


def _complains(part: Classified, text: str) -> bool:
    """Whether a program, or the shell in its name, printed an error (``bash: line 1: cd: x: No such file``)."""
    name = part.command.program
    if f"{name}:" not in text:
        return False
    shell = r"(?:(?:\(eval\)|\S*sh): ?(?:line \d+: ?|\d+: ?)?)?"
    return re.search(rf"^{shell}(?:\S*/)?{re.escape(name)}:(?:\d+:)? \S", text, re.MULTILINE) is not None
